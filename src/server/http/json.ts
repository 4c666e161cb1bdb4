import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/** No request body of the API is nested this deeply. Much deeper nesting would overflow the stack of recursive code. */
const maxDepth = 20;

const compileAtOnce = SerializerSelector();

/**
 * Parses JSON bodies. Unlike the default parser it rejects deep nesting, NUL and invalid UTF-8, which would be
 * stored as replacement characters, and its errors are in Spanish.
 */
export function addJsonParser(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      // Many clients send the content type with every request, even without a body.
      if (body.length === 0) return done(null, undefined);
      const refuse = (error = new ApiError('invalid_json')) => done(error, undefined);
      let text: string;
      try {
        text = utf8.decode(body);
      } catch {
        return refuse();
      }
      void parse(request, text, (error, value) => {
        const refusal = error ? new ApiError('invalid_json') : refusalOf(value);
        if (refusal) refuse(refusal);
        else done(null, value);
      });
    },
  );
}

/** Walks the value level by level, because recursion could overflow the stack. */
function refusalOf(value: unknown): ApiError | undefined {
  let level = [value];
  for (let left = maxDepth; level.length > 0; left--) {
    if (left < 0) return new ApiError('invalid_json');
    // PostgreSQL text cannot store NUL.
    if (level.some((one) => typeof one === 'string' && one.includes('\0')))
      return new ApiError('invalid_json', {
        detail:
          'El texto contiene un carácter que no se puede guardar. Quítalo y vuelve a enviarlo.',
      });
    level = level.flatMap((one) => (one instanceof Object ? Object.values(one) : []));
  }
  return undefined;
}

/**
 * Compiles the serializer of a response when one is first sent. Each takes a few milliseconds, and
 * all of them together would take a third of the start time.
 */
export const lazySerializers: typeof compileAtOnce = (schemas, options) => {
  const compile = compileAtOnce(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (data) => {
      serialize ??= compile(route);
      return serialize(data);
    };
  };
};

/** Compiles the validator of a part of a request when it is first needed, because compiling all would slow the start. */
export const lazyValidators: typeof TypeBoxValidatorCompiler = (part) => {
  let validate: ReturnType<typeof TypeBoxValidatorCompiler> | undefined;
  return (value) => {
    validate ??= TypeBoxValidatorCompiler(part);
    return validate(value);
  };
};
