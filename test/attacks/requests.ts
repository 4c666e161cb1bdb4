import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { quarters } from './hostile-images.ts';
import { sendRaw } from './send-raw.ts';
import { type Attack, countStatuses, get, read } from './target.ts';

const lines = ['//%ff', '//%', 'http://[/%00', '//', '///', '/%ff', '*', 'https://'].map((target) =>
  get(target, 'connection: close'),
);
const hosts = ['[', 'a b', '', 'a:b'].map(
  (host) => `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
);

/** Sends invalid request targets and hosts. */
export const invalidAddresses: Attack = async ({ client }) =>
  countStatuses(
    await Promise.all(
      [...lines, ...hosts, 'GET / HTTP/1.0\r\n\r\n'].map((text) => sendRaw(client.url, text)),
    ),
    400,
  );

/** Sends 500 tokens at once, none of which exists. */
export const unknownTokens: Attack = async ({ client }) => {
  const token = () => randomBytes(32).toString('base64url');
  const ask = () => read(client.call('GET', apiRoutes.me, { token: token() }));
  return countStatuses(await Promise.all(Array.from({ length: 500 }, ask)), 401);
};

/** Asks for 300 pages at once whose address has NUL. */
export const nulAddresses: Attack = async ({ client }) => {
  const ask = (_: unknown, i: number) => read(client.call('GET', `/${i}%00`));
  return countStatuses(await Promise.all(Array.from({ length: 300 }, ask)), 404);
};

/** Fills each of these headers with 15 kB of patterns that are slow to parse. */
export const longHeaders: Attack = async ({ client }) => {
  const names = ['accept', 'accept-encoding', 'range', 'if-none-match', 'cookie', 'last-event-id'];
  const values = ['a,'.repeat(7500), ';q='.repeat(5000), ' '.repeat(15_000), '"'.repeat(15_000)];
  const headers = names.flatMap((name) => values.map((value) => ({ [name]: `a${value}b` })));
  const answers = await Promise.all(
    headers.map((one) => read(client.call('GET', '/', { headers: one }))),
  );
  return countStatuses(answers, 200);
};

/** Requests an image with 15,000 spaces in If-None-Match. */
export const longEntityTags: Attack = async ({ client, person }) => {
  const response = await client.upload(person, await quarters(40, 16).png().toBuffer());
  assert.equal(response.status, 200);
  const { downloadURL } = (await response.json()) as { downloadURL: string };
  const headers = { 'if-none-match': `a${' '.repeat(15_000)}b` };
  return countStatuses(
    await Promise.all(
      Array.from({ length: 50 }, () => read(client.call('GET', downloadURL, { headers }))),
    ),
    200,
  );
};
