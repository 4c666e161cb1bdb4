import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import { ApiError } from './api-error.ts';

/** No request body of the API is nested this deeply. Much deeper nesting would overflow the stack of recursive code. */
const maxDepth = 20;
/** Fields and items at all depths. The largest bodies of the API, of 100 reading positions, have 300. */
const maxValues = 500;

const compileAtOnce = SerializerSelector();

/** Takes the place of a body of another type, which is not read. */
const otherType = Symbol('a body of another type');

/** Accepts bodies of JSON, which arrive as bytes. `parseJson` parses them, and refuses others, once the caller is admitted. */
export function acceptJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    // Many clients send the content type with every request, even without a body.
    done(null, body.length === 0 ? undefined : body);
  });
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, otherType));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body. Unlike the default parser it rejects deep nesting, many values, NUL and invalid UTF-8, which would
 * be stored as replacement characters, and its errors are in Spanish.
 */
export const parseJson: preValidationHookHandler = (request, _reply, done) => {
  const { body, server } = request;
  if (body === otherType) return done(new ApiError('unsupported_media_type'));
  if (!Buffer.isBuffer(body)) return done();
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return done(new ApiError('invalid_json'));
  }
  const parse = server.getDefaultJsonParser('error', 'error');
  void parse(request, text, (error, value) => {
    request.body = value;
    done(error ? new ApiError('invalid_json') : refusalOf(value));
  });
};

/** Walks the value level by level, because recursion could overflow the stack. */
function refusalOf(value: unknown): ApiError | undefined {
  let level = [value];
  // The body itself is no value of it.
  let values = -1;
  for (let left = maxDepth; level.length > 0; left--) {
    if (left < 0) return new ApiError('invalid_json');
    values += level.length;
    if (values > maxValues)
      return new ApiError('invalid_json', {
        detail: `Los datos enviados tienen más de ${maxValues} valores. Envíalos en varias veces.`,
      });
    // PostgreSQL text cannot store NUL.
    if (level.some((one) => typeof one === 'string' && one.includes('\0')))
      return new ApiError('invalid_json', {
        detail:
          'El texto contiene un carácter que no se puede guardar. Quítalo y vuelve a enviarlo.',
      });
    level = level.flatMap((one): unknown[] => (one instanceof Object ? Object.values(one) : []));
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
