import assert from 'node:assert/strict';
import { test } from 'node:test';
import { naughtyStrings } from '../../../test/attacks/naughty-strings.ts';
import { twoForums } from '../../../test/forum/two-forums.ts';
import { apiRoutes, searchUrl, withQuery } from '../../shared/routes.ts';
import type { SearchResults } from '../../shared/search.ts';

const onBoth = twoForums();

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
  'hola\u0000todos',
  '\u0000',
  'hola \ud800 todos',
  '\udc00\ud800',
  'constructor',
  '__proto__ hola',
  'toString valueOf',
  `n${'\u0303'.repeat(300)}`,
  '\u202ehola\u202c',
  'ﬁ ﷺ ǅ İ ẞ ſ',
  '👨‍👩‍👧‍👦'.repeat(28),
  '%00 %FF %',
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
  const found: Record<string, string[]> = {};
  for (const q of [...hostile, ...naughtyStrings]) {
    for (const more of [{}, { typing: 1 }, { sort: 'relevance' }]) {
      const url = withQuery(apiRoutes.search, { q: q.slice(0, 10_000), ...more });
      const answer = await onBoth(async ({ forum }) => {
        const response = await forum.call('GET', url);
        const { data, channels, suggestion, code } = (await response.json()) as SearchResults & {
          code?: string;
        };
        const hits = data?.map(({ comment, snippet }) => [comment.comment, snippet]);
        return { status: response.status, hits, channels: channels?.length, suggestion, code };
      });
      assert.ok(
        answer.status === 200 || (answer.status === 400 && answer.code === 'invalid_fields'),
        `${answer.status} ${q.slice(0, 100)}`,
      );
      if (answer.status === 200) found[q] = (answer.hits ?? []).map(([text]) => String(text));
    }
    const page = await onBoth(async ({ forum }) => {
      const response = await forum.call('GET', searchUrl({ q: q.slice(0, 10_000) }));
      await response.body?.cancel();
      return response.status;
    });
    assert.equal(page, 200, q.slice(0, 100));
  }
  // What is between the words is no command.
  assert.deepEqual(found['hola*'], found.hola ?? ['NEAR hola', 'hola', 'hola a todos']);
  assert.deepEqual(found['tokens:hola'], []);
  assert.deepEqual(found['hola\u0000todos'], ['hola a todos']);
  assert.deepEqual(found['hola \ud800 todos'], ['hola a todos']);
  assert.deepEqual(found['_b0 hola'], []);
  assert.deepEqual(found['__proto__ hola'], []);
});
