import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWith, commentNo } from '../../../test/client/state-examples.ts';
import type { Channel } from '../../shared/channels.ts';
import { linkPreview } from './link-preview.ts';

const head = { title: 'Cine · tertulia', description: 'Películas.' };
const poll = {
  ...{ multiple: false, secret: false, closesAt: '2027-03-28T18:30:00.000Z', isClosed: false },
  ...{ restartedAt: null, voters: null, options: [] },
};
const site = { name: 'Coro de los lunes' };
const previewOf = (channel: Channel, number?: number) =>
  linkPreview(
    head,
    { page: 'channel', channel, next: null, previous: null, range: {} },
    number,
    site,
  );

test('the preview of a link to a comment names its author and channel and shows its first own words; that of a comment that is not there is the channel’s', () => {
  const comments = [
    { ...commentNo(1), comment: `${'👨‍👩‍👧'.repeat(80)} fin` },
    { ...commentNo(2), autor: '\u202eAna', comment: '> Lo de ayer\n\n\u2067¿Quedamos\nel martes?' },
    { ...commentNo(3), comment: '> Lo de ayer' },
    { ...commentNo(4), comment: '' },
    { ...commentNo(5), comment: '', poll },
  ];
  const channel = channelWith('c1', 5, { name: 'Cine', comments });
  const quoting = previewOf(channel, 2);
  assert.equal(quoting.title, 'Ana en Cine');
  assert.equal(quoting.description, '¿Quedamos el martes?');
  assert.equal(quoting.commentNumber, 2);
  assert.equal(previewOf(channel, 3).description, 'Lo de ayer');
  assert.equal(previewOf(channel, 4).description, 'Imagen');
  assert.equal(previewOf(channel, 5).description, 'Encuesta');
  assert.match(previewOf(channel, 1).description, /^(👨‍👩‍👧){31}…$/u);
  for (const missing of [undefined, 6]) {
    const { title, description, commentNumber } = previewOf(channel, missing);
    assert.deepEqual({ title, description }, head);
    assert.equal(commentNumber, undefined);
  }
});

test("a preview shows the comment's first picture, else the channel's cover, an external one as it is, else tiles", () => {
  const images = ['uno', 'dos'].map((name) => ({ url: `/files/images/${name}.jpg`, alt: '' }));
  const comments = [commentNo(1), { ...commentNo(2), images }];
  const imageOf = (cover: string, number?: number) => {
    const { image, isCard } = previewOf(channelWith('c1', 2, { cover, comments }), number);
    return [image, isCard];
  };
  const cover = '/files/images/portada.jpg';
  assert.deepEqual(imageOf(cover, 2), ['/files/images/uno.jpg/card.jpg', true]);
  for (const number of [1, undefined]) {
    assert.deepEqual(imageOf(cover, number), [`${cover}/card.jpg`, true]);
    assert.deepEqual(imageOf('https://ejemplo.es/a.jpg', number), [
      'https://ejemplo.es/a.jpg',
      false,
    ]);
    assert.deepEqual(imageOf('/default-avatar.svg', number), ['/azulejo/c1.jpg', true]);
  }
  const { image } = linkPreview(head, { page: 'members-only' }, undefined, site);
  assert.equal(image, '/azulejo/Coro-de-los-lunes.jpg');
});
