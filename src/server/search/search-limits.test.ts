import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { searchUrl, withQuery } from '../../shared/routes.ts';
import type { SearchResults } from '../../shared/search.ts';
import { openDatabase } from '../database/engine.ts';

const q = 'hola';
const searchCall = withQuery(apiRoutes.search, { q });
const typingCall = withQuery(apiRoutes.search, { q, typing: 1 });

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

test('an address searches 300 times a minute by the call and the page together, also while typing', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const call = (url: string, headers = {}) =>
    forum.call('GET', url, { headers: { 'x-forwarded-for': '203.0.113.1', ...headers } });
  for (let count = 0; count < 149; count++)
    for (const url of [typingCall, searchCall]) assert.equal((await call(url)).status, 200);
  // Pages take longer.
  for (let count = 0; count < 2; count++) assert.equal((await call(searchUrl({ q }))).status, 200);
  const refused = await call(searchCall);
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  await expectProblem(refused, 429, 'too_many_requests');
  const page = await call(searchUrl({ q }), { accept: 'text/html' });
  assert.equal(page.status, 429);
  assert.match(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.match(
    await page.text(),
    /^<!doctype html>.*Vuelve a intentarlo dentro de \d+ segundos?\./s,
  );
  assert.equal((await forum.call('GET', searchCall, from('203.0.113.2'))).status, 200);
});

test('searches that wait for PostgreSQL leave connections for other requests', async (t) => {
  const forum = await Forum.start('postgres', { TRUST_PROXY: '1' });
  const locking = new pg.Client(forum.dataSettings.DATABASE_URL);
  await locking.connect();
  t.after(async () => {
    await locking.end();
    await forum.stop();
  });
  const channel = await forum.channel(await forum.person());
  await locking.query('begin; lock table search_docs');
  const searches = Array.from({ length: 10 }, (_, index) =>
    forum.call('GET', searchCall, from(`203.0.113.${index}`)),
  );
  await eventually('some searches wait for the lock', async () => {
    const { rows } = await locking.query(
      "select count(*)::int as waiting from pg_locks where relation = 'search_docs'::regclass and not granted",
    );
    return rows[0].waiting >= 4;
  });
  const read = forum.call('GET', apiRoutes.channel(channel._id));
  const first = await Promise.race([read, ...searches]);
  assert.equal(first.status, 200, 'the channel is read before the searches are refused');
  await locking.query('rollback');
  await Promise.all(searches);
});

test('a search that takes too long on PostgreSQL searches only the newest comments and says so', async (t) => {
  const statements: string[] = [];
  const forum = await Forum.start('postgres', {}, (config) => ({
    db: openDatabase(config, { log: ({ query }) => void statements.push(query.sql) }),
  }));
  const holding = new pg.Client(forum.dataSettings.DATABASE_URL);
  await holding.connect();
  t.after(async () => {
    await holding.end();
    await forum.stop();
  });
  const person = await forum.person();
  const { _id } = await forum.channel(person);
  for (const text of [q, 'un bollo']) await forum.comment(person, _id, text);
  const searchLate = async (words: string) => {
    statements.length = 0;
    await holding.query('begin; lock table account_names');
    const url = withQuery(apiRoutes.search, { q: words });
    const late = forum.json<SearchResults>('GET', url);
    await eventually('the search was cancelled once', async () => statements.includes('rollback'));
    await holding.query('rollback');
    const { data, ...results } = await late;
    const isOfIndex = (statement: string) => /older as materialized/.test(statement);
    assert.equal(statements.slice(statements.indexOf('rollback')).some(isOfIndex), false);
    assert.equal(results.isComplete, false);
    return { texts: data.map(({ comment }) => comment.comment), searched: results.searched };
  };
  assert.deepEqual(await searchLate(q), { texts: [q], searched: null });
  assert.ok(statements.some((statement) => /set local enable_seqscan = off/.test(statement)));
  // An older comment may contain the word.
  assert.deepEqual(await searchLate('pollo'), { texts: [], searched: null });
  // A page with only the newest comments would end the list.
  const first = withQuery(apiRoutes.search, { q: 'un bollo', limit: 1, sort: 'relevance' });
  await forum.comment(person, _id, 'otro, un bollo');
  const { next: after } = await forum.json<SearchResults>('GET', first);
  await holding.query('begin; lock table search_docs');
  const late = await forum.call('GET', `${first}&after=${after}`);
  await expectProblem(late, 503, 'unavailable');
});
