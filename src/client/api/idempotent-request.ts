import { fieldsOf, isText } from '../storage/stored-value.ts';

/** A request with an idempotency key: the server carries it out once, however often it is sent. */
export interface IdempotentRequest<Body> {
  key: string;
  /** As it was first sent: the server rejects another body under the same key. */
  body: Body;
}

/** The earlier request if its `typed` fields are the same as in `body`; else one with a new key. */
export function idempotentRequest<Body extends object>(
  earlier: IdempotentRequest<Body> | null,
  body: Body,
  typed: readonly (keyof Body)[],
): IdempotentRequest<Body> {
  const isSame =
    earlier &&
    typed.every((field) => JSON.stringify(earlier.body[field]) === JSON.stringify(body[field]));
  return isSame ? earlier : { key: newKey(), body };
}

/** A stored request, or null if `value` is not one or its body lacks one of these text fields. */
export function readRequest<Body>(
  value: unknown,
  texts: (keyof Body & string)[],
): IdempotentRequest<Body> | null {
  const { key, body } = fieldsOf(value);
  const fields = fieldsOf(body);
  const isRequest =
    isText(key) && keyPattern.test(key) && texts.every((name) => isText(fields[name]));
  return isRequest ? { key, body: body as Body } : null;
}

/** Keys that the server accepts. */
const keyPattern = /^[!-~]{1,200}$/;

/** A random key. Not `crypto.randomUUID`, which a site without TLS does not have. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The header that names a request's key. */
export const idempotencyKey = ({ key }: IdempotentRequest<unknown>) => ({ 'idempotency-key': key });
