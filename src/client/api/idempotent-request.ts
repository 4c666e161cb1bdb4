import type { Failure } from './api.ts';

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

/** Statuses of rejections before the request is processed: it can be sent again under its key. */
const passingStatuses = [401, 408, 429];

/**
 * Whether the server has rejected the request for good. Without a response, or after an error of
 * the server's own, the request may have been carried out.
 */
export function isRefused({ problem }: Failure): boolean {
  if (!problem) return false;
  return problem.status < 500 && !passingStatuses.includes(problem.status);
}
