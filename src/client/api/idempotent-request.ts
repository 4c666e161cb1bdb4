import { fieldsOf, isText } from '../state/parse-stored.ts';
import type { Failure } from './api.ts';

/** A request under a key: however often it is sent, the server does once what it asks for. */
export interface IdempotentRequest<Body> {
  key: string;
  /** As it was first sent: under one key the server takes nothing else. */
  body: Body;
}

/** The earlier request again while the person asks for the same, or a new one. */
export function idempotentRequest<Body extends object>(
  earlier: IdempotentRequest<Body> | null,
  body: Body,
  typed: (keyof Body)[],
): IdempotentRequest<Body> {
  const isSame = earlier && typed.every((field) => earlier.body[field] === body[field]);
  return isSame ? earlier : { key: newKey(), body };
}

/** A request that was kept, if `value` is one whose body has these texts; else null. */
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

/** What the server takes for a key. */
const keyPattern = /^[!-~]{1,200}$/;

/** Not `crypto.randomUUID`, which a site without TLS does not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Refusals that come before the server looks at the request, so that its key stays of use. */
const passingStatuses = [401, 408, 429];

/** Whether the server has said no for good. What it has not answered may be done already. */
export function isRefused({ problem }: Failure): boolean {
  if (!problem) return false;
  return problem.status < 500 && !passingStatuses.includes(problem.status);
}
