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
 * be stored as replacement characters, and its errors are in Spanish. Nesting and values are counted before parsing, since
 * parsing a body of brackets only takes a hundred times as long.
 */
export const parseJson: preValidationHookHandler = (request, _reply, done) => {
  const { body, server } = request;
  if (body === otherType) return done(new ApiError('unsupported_media_type'));
  if (!Buffer.isBuffer(body)) return done();
  const { depth, values } = measure(body);
  if (depth > maxDepth + 1) return done(new ApiError('invalid_json'));
  if (values > maxValues)
    return done(
      new ApiError('invalid_json', {
        detail: `Los datos enviados tienen más de ${maxValues} valores. Envíalos en varias veces.`,
      }),
    );
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return done(new ApiError('invalid_json'));
  }
  const parse = server.getDefaultJsonParser('error', 'error');
  void parse(request, text, (error, value) => {
    request.body = value;
    if (error) return done(new ApiError('invalid_json'));
    // PostgreSQL text cannot store NUL.
    const detail =
      'El texto contiene un carácter que no se puede guardar. Quítalo y vuelve a enviarlo.';
    done(hasNul(value) ? new ApiError('invalid_json', { detail }) : undefined);
  });
};

const [quote, comma, backslash] = Buffer.from('",\\');
const opening = new Set(Buffer.from('[{'));
const closing = new Set(Buffer.from(']}'));

/**
 * Counts the levels of nesting, and the values inside the body: one for each comma and each bracket that opens. Stops as
 * soon as one is beyond its limit.
 */
function measure(json: Buffer): { depth: number; values: number } {
  const most = { depth: 0, values: 0 };
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (isInString && byte === backslash) at++;
    else if (byte === quote) isInString = !isInString;
    else if (isInString) continue;
    else if (byte === comma) most.values++;
    else if (opening.has(byte)) {
      most.values++;
      most.depth = Math.max(most.depth, ++depth);
    } else if (closing.has(byte)) depth--;
    if (most.values > maxValues || most.depth > maxDepth + 1) break;
  }
  return most;
}

/** Whether a value of limited depth has a string, other than a key, with NUL. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return value instanceof Object && Object.values(value).some(hasNul);
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
