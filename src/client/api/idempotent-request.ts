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

/** A random key. Not `crypto.randomUUID`, which a site without TLS does not have. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The header that names a request's key. */
export const idempotencyKey = ({ key }: IdempotentRequest<unknown>) => ({ 'idempotency-key': key });
