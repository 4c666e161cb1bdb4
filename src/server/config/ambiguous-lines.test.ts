import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAmbiguousLines } from './ambiguous-lines.ts';

test('accepts comments, empty lines, and values that all programs read alike', () => {
  const lines = [
    '# a comment with "quotes" and $',
    '',
    '  # indented',
    'HOST=127.0.0.1',
    'PORT=3000\r',
    'EMPTY=',
    'DATABASE_URL=postgres://u:p%23w@localhost/tertulia?sslmode=verify-full&x=1',
    "S3_SECRET_ACCESS_KEY='a#b$c\\d'",
    'SOCIAL_LINKS="A b=https://a.example,B=https://b.example,C=https://c.example"',
  ];
  assert.deepEqual(findAmbiguousLines(lines.join('\n')), []);
});

for (const [line, reason] of [
  ['export PORT=3000', /^line 1 \(PORT\) begins with export/],
  ['PORT 3000', /^line 1 has no =/],
  ['"PORT"=3000', /does not begin with a name/],
  ['\uFEFFPORT=3000', /does not begin with a name|^$/],
  [';PORT=3000', /does not begin with a name/],
  ['PORT = 3000', /\(PORT\) has a space beside =/],
  ['PORT=3000 # the default', /has a #/],
  ['PORT=# none', /has a #/],
  ['PORT="3000" # the default', /text behind the closing quote/],
  ['PORT="3000"5', /text behind the closing quote/],
  ['PORT="3000', /quote that is not closed/],
  ['PORT=`3000`', /backticks/],
  ['KEY=a\\b', /backslash/],
  ['KEY="a\\nb"', /backslash/],
  ['KEY=a$b', /has a \$/],
  ['KEY="$b"', /has a \$/],
  ["KEY=it's", /quote within/],
] as const) {
  test(`names the line ${JSON.stringify(line)}, which programs read differently`, () => {
    assert.match(findAmbiguousLines(line).join(), reason);
  });
}

test('names a setting that is set twice, and never a value', () => {
  const found = findAmbiguousLines('KEY=secreta\n\nKEY=secreta # otra');
  assert.equal(found.length, 2);
  assert.match(found[1] ?? '', /^line 3 \(KEY\) sets again what line 1 sets/);
  assert.doesNotMatch(found.join(), /secreta/);
});
