/** A request with an idempotency key: the server carries it out once, however often it is sent. */
export interface IdempotentRequest<Body> {
  key: string;
  /** As it was first sent: the server rejects another body under the same key. */
  body: Body;
}

/** The earlier request if at most the author's name and picture differ; else one with a new key. */
export function idempotentRequest<Body extends { autor?: unknown; autorImg?: unknown }>(
  earlier: IdempotentRequest<Body> | null,
  body: Body,
): IdempotentRequest<Body> {
  const { autor, autorImg } = body;
  const isSame = JSON.stringify({ ...earlier?.body, autor, autorImg }) === JSON.stringify(body);
  return earlier && isSame ? earlier : { key: newKey(), body };
}

/** A random key. Not `crypto.randomUUID`, which a site without TLS does not have. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The header that names a request's key. */
export const idempotencyKey = ({ key }: IdempotentRequest<unknown>) => ({ 'idempotency-key': key });
