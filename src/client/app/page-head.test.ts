import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWith, commentNo } from '../../../test/client/state-examples.ts';
import { pageHead, searchedWords, subjectOf } from './page-head.ts';
import { sharePreview } from './share-preview.ts';

const page = { name: 'channel', id: 'c1' } as const;

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

test("the preview of a link to a comment shows its author and first own words, other previews the channel's description", () => {
  const comments = [
    commentNo(1),
    { ...commentNo(2), autor: 'Ana', comment: '> Lo de ayer\n\n¿Quedamos\nel martes?' },
    { ...commentNo(3), autor: 'Ana', comment: '> Lo de ayer' },
    { ...commentNo(4), autor: 'Ana', comment: '' },
  ];
  const channel = channelWith('c1', 4, { name: 'Cine', description: 'Películas.', comments });
  const headFor = (number: number | undefined) => {
    const data = { page: 'channel', channel, next: null, previous: null, range: {} } as const;
    const subject = subjectOf(data, number);
    return { ...pageHead(page, subject), ...sharePreview(page, subject, { name: '' }) };
  };
  assert.equal(headFor(2).description, 'Ana: ¿Quedamos el martes?');
  assert.equal(headFor(2).title, 'Cine · tertulia');
  assert.equal(headFor(2).commentNumber, 2);
  assert.equal(headFor(3).description, 'Ana: Lo de ayer');
  assert.equal(headFor(4).description, 'Ana: Imagen');
  for (const missing of [undefined, 5]) {
    assert.equal(headFor(missing).description, 'Películas.');
    assert.equal(headFor(missing).commentNumber, undefined);
  }
});

test("a preview shows the card made from the cover, an external cover, or else the site's image", () => {
  const imageOf = (cover: string) =>
    sharePreview(page, channelWith('c1', 0, { cover }), { name: '' }).image;
  assert.equal(imageOf('/files/images/portada.jpg'), '/files/images/portada.jpg/card.jpg');
  assert.equal(imageOf('https://ejemplo.es/a.jpg'), 'https://ejemplo.es/a.jpg');
  assert.equal(imageOf(''), '/tertulia.png');
  assert.equal(imageOf('/default-avatar.svg'), '/tertulia.png', 'previews show no SVG image');
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
  const comments = [{ ...commentNo(1), autor: '\u202eAna', comment: '\u2067Hola' }];
  const channel = channelWith('c1', 1, { name: '\u202ecine', comments });
  const data = { page: 'channel', channel, next: null, previous: null, range: {} } as const;
  const { title, description } = pageHead({ name: 'channel', id: 'c1' }, subjectOf(data, 1));
  assert.equal(title, 'cine · tertulia');
  assert.equal(description, 'Ana: Hola');
  assert.equal(pageHead({ name: 'search' }, '\u202dsí').title, 'sí · Buscar · tertulia');
});
