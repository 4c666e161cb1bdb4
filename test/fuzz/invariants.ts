import assert from 'node:assert/strict';
import { type Problem, problems } from '../../src/shared/errors.ts';
import type { Answer } from './exchange.ts';

/** Internals that no response may contain: stacks, paths, SQL, error codes, names of libraries. */
const internals = [
  /node_modules|\n\s+at \S|file:\/\/|\.[cm]?[jt]sx?:\d|\/tmp\/|\/home\//,
  /sqlite|postgres|kysely|fastify|libspng|\bvips|insert into|select .* from/i,
  /FST_|HPE_|ERR_[A-Z]|\bE(NOENT|ACCES|CONN|PIPE|EXIST)|(Type|Range|Syntax|Reference)Error/,
];
/** English words of library messages, which no Spanish text contains. */
const english =
  /\b(the|must|should|not|is|of|invalid|expected|unexpected|failed|missing|value|property|required|cannot|large|found|bad|request)\b/i;

const permittedFailures = [problems.unavailable.status, problems.storage_full.status] as number[];

/** Checks the invariants of every response. */
export function checkResponse({ status, headers, body }: Answer): void {
  const type = headers['content-type'] ?? '';
  assert.ok(status < 500 || permittedFailures.includes(status), `${status} ${body}`);
  // A hash in base64url can contain any of these words; `ERR_` has occurred in one.
  const { etag: _hash, ...others } = headers;
  const whole = `${JSON.stringify(others)}\n${body}`;
  for (const internal of internals) assert.doesNotMatch(whole, internal);
  if (status < 400 || body === '') return;
  if (type.startsWith('text/html')) return;
  assert.match(type, /^application\/problem\+json/, `${status} ${type} ${body}`);
  const problem = JSON.parse(body) as Problem;
  const texts = [
    problem.title,
    problem.detail,
    ...(problem.errors ?? []).map((one) => one.message),
  ];
  assert.doesNotMatch(texts.join('\n'), english);
}
