import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClientBuild } from './render-page.ts';
import { selectUsedStyles } from './used-styles.ts';

const css =
  ':root{--a:1}.card_title,.card_text{color:red}a:hover{color:blue}' +
  '@media print{.card_text{color:green}.list_item{color:green}}@media screen{.list_item{top:0}}' +
  '@keyframes x{0%{top:0}to{top:1px}}main:not(:has(.list_item)){top:0}.list_item>a{top:0}';

test('the styles of a page are those without a class and those of its classes', () => {
  const used = selectUsedStyles(css, String);
  const always = [':root{--a:1}', 'a:hover{color:blue}'];
  const atEnd = ['@keyframes x{0%{top:0}to{top:1px}}', 'main:not(:has(.list_item)){top:0}'];
  assert.equal(used('<p>').css, [...always, ...atEnd].join(''));
  assert.equal(
    used('<p class="other card_text">').css,
    [
      ':root{--a:1}',
      '.card_title,.card_text{color:red}',
      'a:hover{color:blue}',
      '@media print{.card_text{color:green}}',
      ...atEnd,
    ].join(''),
  );
});

test('a page with all classes has the whole style sheet', async () => {
  const build = await readClientBuild();
  for (const page of ['home', 'login'] as const) {
    const whole = build
      .assetsOf(page)
      .styles.map(({ text }) => text)
      .join('');
    const names = whole.match(/(?<=\.)[\w-]+/g) ?? [];
    assert.ok(
      selectUsedStyles(whole, String)(`<p class="${names.join(' ')}">`).css === whole,
      page,
    );
  }
});
