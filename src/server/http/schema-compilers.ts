import type {
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  FastifyServerOptions,
} from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Clean, Clone, Convert } from 'typebox/value';

const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema);
  return (value: unknown) => {
    // Parts of an address and headers are texts, whatever they stand for; a body has types.
    const typed = httpPart === 'body' ? value : Convert(schema, value);
    return validator.Check(typed) ? { value: typed } : { error: validator.Errors(typed) };
  };
};

/** What the schema does not name stays inside. */
const compileSerializer: FastifySerializerCompiler<TSchema> =
  ({ schema }) =>
  (data: unknown) =>
    JSON.stringify(Clean(schema, Clone(data)));

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;

/** TypeBox checks what comes in and shapes what goes out, so that Fastify need not load Ajv for it. */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => compileValidator,
    buildSerializer: () => compileSerializer,
  },
  // Typed by Fastify as if there were only Ajv; what these return is what it documents.
} as unknown as SchemaController;
