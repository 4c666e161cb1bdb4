import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWith } from '../../../test/client/state-examples.ts';
import { pageHead, searchedWords } from './page-head.ts';

test('the title of a page is its own before the name of the site, which stands alone on the home page', () => {
  assert.equal(pageHead({ name: 'home' }, undefined).title, 'tertulia');
  assert.equal(pageHead({ name: 'login' }, undefined).title, 'Iniciar sesión · tertulia');
  assert.equal(pageHead({ name: 'not-found' }, undefined).title, 'NotFound · tertulia');
  const site = { name: 'Barrio', welcome: 'Hola, vecinos.' };
  const { title, description } = pageHead({ name: 'login' }, undefined, site);
  assert.deepEqual([title, description], ['Iniciar sesión · Barrio', site.welcome]);
});

test('the head of a channel has its name and a short description on one line, not cut within an emoji', () => {
  const channel = channelWith('c1', 0, {
    name: 'Cine',
    description: `uno\n\n${'dos '.repeat(90)}`,
  });
  const head = pageHead({ name: 'channel', id: 'c1' }, channel);
  assert.equal(head.title, 'Cine · tertulia');
  assert.match(head.description, /^uno dos .*…$/);
  assert.equal(head.description.length, 160);
  const family = channelWith('c1', 0, { description: '👨‍👩‍👧 '.repeat(40) });
  assert.match(pageHead({ name: 'channel', id: 'c1' }, family).description, /👨‍👩‍👧 ?…$/u);
});

test('the title of a search begins with its words, even before anything is loaded', () => {
  const titleAt = (address: string) => {
    const page = { name: 'search' } as const;
    return pageHead(page, searchedWords(page, address)).title;
  };
  assert.equal(titleAt('/search?q=canci%C3%B3n'), 'canción · Buscar · tertulia');
  assert.equal(titleAt('/search'), 'Buscar · tertulia');
});

test('titles and descriptions contain no direction control characters, which would change the direction of the text after them', () => {
  const channel = channelWith('c1', 1, { name: '\u202ecine', description: '\u2067Hola' });
  const { title, description } = pageHead({ name: 'channel', id: 'c1' }, channel);
  assert.equal(title, 'cine · tertulia');
  assert.equal(description, 'Hola');
  assert.equal(pageHead({ name: 'search' }, '\u202dsí').title, 'sí · Buscar · tertulia');
});
