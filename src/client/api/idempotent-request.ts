/** A request with an idempotency key: the server carries it out once, however often it is sent. */
export interface IdempotentRequest<Body> {
  key: string;
  /** The body as first sent: the server rejects a different body under the same key. */
  body: Body;
}

/** The earlier request if the bodies differ only in the author's name and image; otherwise one with a new key. */
export function idempotentRequest<Body extends { autor?: unknown; autorImg?: unknown }>(
  earlier: IdempotentRequest<Body> | null,
  body: Body,
): IdempotentRequest<Body> {
  const { autor, autorImg } = body;
  const isSame = JSON.stringify({ ...earlier?.body, autor, autorImg }) === JSON.stringify(body);
  return earlier && isSame ? earlier : { key: newKey(), body };
}

/** A random key. Not from `crypto.randomUUID`, which is unavailable on a site without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const idempotencyKey = ({ key }: IdempotentRequest<unknown>) => ({ 'idempotency-key': key });
