import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { assetRoutes, pageRoutes } from '../../src/shared/routes.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { Forum } from '../forum/forum.ts';

/** Fits into Node's limit of 16 kB for all headers together. */
const longest = 14_000;

/** Values that are slowest for a parser that backtracks. `n` is their approximate length. */
const patterns: Record<string, (n: number) => string> = {
  'a letter, spaces, a letter': (n) => `a${' '.repeat(n)}b`,
  tabs: (n) => `a${'\t'.repeat(n)}b`,
  commas: (n) => `a${','.repeat(n)}b`,
  'commas and spaces': (n) => `a${' ,'.repeat(n / 2)}b`,
  'entity tags': (n) => '"a",'.repeat(n / 4),
  'open quotes': (n) => `${'"'.repeat(n)}x`,
  'weak entity tags': (n) => `${'W/'.repeat(n / 2)}"`,
  digits: (n) => `bytes=${'9'.repeat(n)}-x`,
  ranges: (n) => `bytes=${'0-0,'.repeat(n / 4)}`,
  'a scheme and spaces': (n) => `Bearer ${' '.repeat(n)}:x`,
  'a token and spaces': (n) => `Bearer a${' '.repeat(n)}=x`,
  'Basic and spaces': (n) => `Basic ${' '.repeat(n)},`,
  'Basic and equals signs': (n) => `Basic ${'a'.repeat(n)}=== x`,
  qualities: (n) => `${'br;q=0.5,'.repeat(n / 9)}x`,
  semicolons: (n) => `br${';'.repeat(n)}q`,
  'tus metadata': (n) => `${'a YQ==,'.repeat(n / 7)}`,
  base64: (n) => `filename ${'YQ=='.repeat(n / 4)}`,
  addresses: (n) => `${'1.1.1.1, '.repeat(n / 9)}`,
  colons: (n) => ':'.repeat(n),
  'forwarded pairs': (n) => `${'for=a;'.repeat(n / 6)}`,
};

const headers = [
  'if-none-match',
  'if-match',
  'if-range',
  'if-modified-since',
  'range',
  'accept',
  'accept-encoding',
  'authorization',
  'x-forwarded-for',
  'forwarded',
  'origin',
  'cookie',
  'connection',
  'content-type',
  'last-event-id',
  'idempotency-key',
];

describe('processor time of a header', () => {
  let forum: Forum;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  before(async () => {
    forum = await Forum.start('sqlite', { TRUST_PROXY: '3', RATE_LIMITS: 'on' });
  });
  after(async () => {
    agent.destroy();
    await forum?.stop();
  });

  const send = (method: string, path: string, fields: Record<string, string>) =>
    new Promise<void>((resolve, reject) => {
      const { hostname, port } = new URL(forum.url);
      request({ hostname, port, method, path, headers: fields, agent }, (answer) =>
        answer.resume().once('end', resolve).once('error', reject),
      )
        .once('error', reject)
        .end();
    });

  /** @returns the lowest processor time of five requests, in microseconds */
  async function leastTime(ask: () => Promise<void>): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      await ask();
      const { user, system } = process.cpuUsage(before);
      times.push(user + system);
    }
    return Math.min(...times);
  }

  /** Fails when, in three measurements, twice the header length takes three times as long. */
  async function checkTime(method: string, path: string, header: string, other = {}) {
    for (const [what, value] of Object.entries(patterns)) {
      const time = (length: number) =>
        leastTime(() => send(method, path, { ...other, [header]: value(length) }));
      const measured: string[] = [];
      for (let isLinear = false; !isLinear; ) {
        const half = await time(longest / 2);
        const whole = await time(longest);
        isLinear = whole < 3 * half;
        measured.push(`${half}, ${whole} µs`);
        assert.ok(
          isLinear || measured.length < 3,
          `${method} ${path} ${header}, ${what}: ${measured}`,
        );
      }
    }
  }

  test('grows linearly with its length', { timeout: 120_000 }, async () => {
    const owner = await forum.person();
    const uploaded = await forum.upload(owner, await quarters(40, 16).png().toBuffer());
    assert.equal(uploaded.status, 200);
    const { fullPath } = (await uploaded.json()) as { fullPath: string };
    for (const path of [assetRoutes.file(fullPath), pageRoutes.home, assetRoutes.defaultAvatar]) {
      for (const header of headers) await checkTime('GET', path, header);
    }
    for (const header of headers) await checkTime('POST', apiRoutes.signIn, header);
    await checkTime('GET', apiRoutes.me, 'authorization');
    const session = { authorization: `Bearer ${owner.token}`, 'tus-resumable': '1.0.0' };
    for (const header of ['upload-metadata', 'upload-length', 'upload-defer-length', 'forwarded']) {
      await checkTime('POST', apiRoutes.uploads, header, session);
    }
  });
});
