import assert from 'node:assert/strict';
import { test } from 'node:test';
import { naughtyStrings } from '../../../test/attacks/naughty-strings.ts';
import { twoForums } from '../../../test/forum/two-forums.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { limits } from '../../shared/limits.ts';
import { searchUrl, withQuery } from '../../shared/routes.ts';
import type { SearchResults } from '../../shared/search.ts';

const onBoth = twoForums();

type Answer = Partial<SearchResults> & { code?: string };

async function statusOf(sent: Promise<Response>): Promise<number> {
  const response = await sent;
  await response.body?.cancel();
  return response.status;
}

/** Joins texts into searches of up to the maximum length. */
function joined(texts: string[]): string[] {
  const all: string[] = [];
  for (const text of texts) {
    const longer = `${all.at(-1) ?? ''} ${text}`;
    if (all.length > 0 && longer.length <= limits.searchChars) all[all.length - 1] = longer;
    else all.push(text);
  }
  return all;
}

const hostile = [
  'a'.repeat(10_000),
  '"'.repeat(5000),
  '"'.repeat(199),
  'a '.repeat(100),
  '"a '.repeat(60),
  '-a '.repeat(60),
  '"a a" '.repeat(30),
  '*',
  'hola*',
  'hola NEAR/2 todos',
  'NEAR(hola todos)',
  'hola AND todos OR NOT nada',
  'tokens:hola',
  '{tokens} : hola',
  '^hola + todos',
  "hola' & !'todos':*",
  'hola:*B <-> todos',
  '_c1',
  '_b0 hola',
  'hola \ud800 todos',
  '\udc00\ud800',
  'constructor',
  '__proto__ hola',
  'toString valueOf',
  `n${'\u0303'.repeat(300)}`,
  '\u202ehola\u202c',
  'ﬁ ﷺ ǅ İ ẞ ſ',
  '👨‍👩‍👧‍👦'.repeat(28),
  '%FF %',
  '-"hola todos',
  '--hola',
  '- hola',
  '"-hola"',
];

test('hostile searches are answered or refused, alike on both engines', async () => {
  await onBoth(async ({ forum, person }) => {
    const { _id } = await forum.channel(person, 'constructor');
    for (const text of ['hola a todos', 'hola', '__proto__', 'toString', 'a a a', 'NEAR hola']) {
      await forum.comment(person, _id, text);
    }
  });
  const search = (q: string, more = {}) =>
    onBoth(async ({ forum }) => {
      const url = withQuery(apiRoutes.search, { q: q.slice(0, 10_000), ...more });
      const response = await forum.call('GET', url);
      const { data, channels, suggestion, code } = (await response.json()) as Answer;
      const isRefused = response.status === 400 && code === 'invalid_fields';
      assert.ok(response.status === 200 || isRefused, `${response.status} ${q.slice(0, 100)}`);
      const texts = data?.map(({ comment }) => comment.comment);
      const snippets = data?.map(({ snippet }) => snippet);
      return { status: response.status, texts, snippets, channels: channels?.length, suggestion };
    });
  for (const text of joined(naughtyStrings)) await search(text);
  const found = new Map<string, string[]>();
  const ways = [
    (q: string) => search(q),
    (q: string) => search(q, { typing: 1 }),
    (q: string) => search(q, { sort: 'relevance' }),
    async (q: string) => {
      const page = await onBoth(({ forum }) => statusOf(forum.call('GET', searchUrl({ q }))));
      assert.equal(page, 200, q.slice(0, 100));
    },
  ];
  for (const [index, q] of hostile.entries()) {
    found.set(q, (await search(q, { exact: 1 })).texts ?? []);
    // Each way of searching extracts words in the same manner, so one per text suffices.
    await ways[index % ways.length]?.(q);
  }
  // Operators of the engines' search languages are treated as separators.
  assert.deepEqual(found.get('hola*'), ['NEAR hola', 'hola', 'hola a todos']);
  assert.deepEqual(found.get('tokens:hola'), []);
  assert.deepEqual(found.get('hola \ud800 todos'), ['hola a todos']);
  assert.deepEqual(found.get('_b0 hola'), []);
  assert.deepEqual(found.get('__proto__ hola'), []);
});
