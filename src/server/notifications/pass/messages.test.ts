import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../../shared/notifications.ts';
import { fromPlace } from '../../mail/make-mail.ts';
import {
  addressChangedMessage,
  confirmMessage,
  recoverMessage,
  testMessage,
} from '../../mail/messages/account-messages.ts';
import type { Message } from '../../mail/messages/compose.ts';
import { newsMessage } from './news-message.ts';

const place = { communityName: 'Barrio', publicUrl: 'https://barrio.example' };
const link = 'https://barrio.example/confirm#secreto';

const named = (...names: string[]) => names.map((name) => ({ id: name, name, img: '' }));

const reply: Notification = {
  id: 1,
  kind: 'reply',
  people: named('Ana'),
  count: 1,
  number: 4,
  channel: { _id: '1', name: 'Cine' },
  excerpt: 'A mí me gustó más la primera',
  createdAt: '2026-11-29T10:00:00.000Z',
  isNew: true,
};

type News = Parameters<typeof newsMessage>[1];

const news = (changed: Partial<News> = {}): Message =>
  newsMessage(place, {
    name: 'Luis',
    notifications: [reply],
    more: 0,
    channels: [],
    settingsLink: 'https://barrio.example/settings#correo',
    unsubscribeLink: 'https://barrio.example/unsubscribe/secreto',
    ...changed,
  });

/** All messages to a person, from a community, about somebody or something, with these names. */
const messagesWith = (name: string, of = { ...place, communityName: name }): Message[] => {
  const channel = { ...reply.channel, name };
  const notifications = [{ ...reply, people: named(name), channel, excerpt: name }];
  const channels = [{ name, unread: 2, link }];
  const rest = { name, more: 0, channels, settingsLink: link, unsubscribeLink: link };
  return [
    confirmMessage(of, { link }),
    addressChangedMessage(of, { name }),
    recoverMessage(of, { name, link }),
    testMessage(of),
    newsMessage(of, { ...rest, notifications }),
    newsMessage(of, { ...rest, notifications: [...notifications, ...notifications] }),
  ];
};

test('all messages are in Spanish, load nothing, and have the same links as text', () => {
  for (const { html, text } of [...messagesWith('Ana', place), news({ more: 3 })]) {
    assert.match(html, /<html lang="es">/);
    assert.doesNotMatch(html, /<(img|link|script|iframe|form)|url\(|@import|\ssrc=/i);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    assert.ok(links.length > 0);
    for (const href of links) {
      assert.ok(href.startsWith('https://barrio.example'), href);
      // The signature of messages without news contains the site's address.
      assert.ok(text.includes(href), href);
    }
  }
});

test('subjects say what happened', () => {
  const subject = (changed: Partial<Notification>) =>
    news({ notifications: [{ ...reply, ...changed }] }).subject;
  assert.equal(subject({}), 'Ana te respondió en Cine');
  assert.equal(subject({ kind: 'mention' }), 'Ana te mencionó en Cine');
  assert.equal(subject({ kind: 'thanks' }), 'Ana te dio las gracias en Cine');
  const two = subject({ people: named('Ana', 'Inés'), count: 2 });
  assert.equal(two, 'Ana e Inés te respondieron en Cine');
  const three = subject({ people: named('Ana', 'Inés', 'Eva'), count: 3 });
  assert.equal(three, 'Ana y 2 más te respondieron en Cine');
  assert.equal(subject({ people: [] }), 'Alguien te respondió en Cine');
  assert.equal(news({ notifications: [reply, reply, reply] }).subject, '3 avisos en Barrio');
  assert.equal(news({ notifications: [reply], more: 2 }).subject, '3 avisos en Barrio');
  assert.equal(news({ notifications: [reply], more: 999 }).subject, '99+ avisos en Barrio');
});

test('a message with news says what is new and how to get none', () => {
  const { text } = news({
    notifications: [reply, { ...reply, kind: 'thanks', excerpt: '' }],
    channels: [{ name: 'Libros', unread: 1, link: 'https://barrio.example/channel/2' }],
  });
  assert.equal(
    text,
    `Ana te respondió en Cine
«A mí me gustó más la primera»
https://barrio.example/channel/1?n=4#comentario-4

Ana te dio las gracias en Cine
https://barrio.example/channel/1?n=4#comentario-4

En los canales que sigues

Libros: 1 nuevo
https://barrio.example/channel/2

--${' '}
Este correo es para Luis, que tiene activados los avisos por correo de Barrio.
Cambiar cada cuánto llegan: https://barrio.example/settings#correo
No recibir más avisos: https://barrio.example/unsubscribe/secreto
`,
  );
});

test('names, excerpts and the name of the community stay on their line, and are escaped', () => {
  // It tries to start another header, to end an element, and to change the direction of the text after it.
  const hostile = 'Ana\r\nBcc: todos@example.org\u2028</p><img src="https://evil.example" \'\u202e';
  for (const { subject, text, html } of messagesWith(hostile)) {
    assert.doesNotMatch(subject, /[\r\n\u2028\u202e]/);
    assert.doesNotMatch(text, /^Bcc|[\r\u2028\u202e]/m);
    assert.doesNotMatch(html, /<img|\u202e|\u2028/);
    assert.ok(text.includes('Ana Bcc: todos@example.org </p'));
    assert.ok(html.includes('Ana Bcc: todos@example.org &lt;/p'));
  }
  // A mail program would decode this in a header.
  const encoded = messagesWith('=?utf-8?Q?=0D=0ABcc:_a=40b.es?=', place)[4];
  assert.match(encoded?.subject ?? '', /^=\u2060\?utf-8\?Q\?/);
});

test('a right-to-left name does not set the direction of a Spanish subject or line', () => {
  const name = '3 שרה';
  const isolated = `\u2068${name}\u2069`;
  const messages = messagesWith(name);
  const { subject, text, html } = messages[4] as Message;
  assert.equal(subject, `\u200e${isolated} te respondió en ${isolated}`);
  assert.ok(text.startsWith(`${subject}\n«`));
  assert.ok(text.includes(`\n\u200e${isolated}: 2 nuevos\n`));
  assert.ok(text.includes(`\nEste correo es para ${isolated}, que`));
  assert.match(html, /<body dir="ltr">/);
  for (const one of messages) {
    const names = (one.subject + one.text).replace(/«.*»/g, '');
    assert.doesNotMatch(names, /(?<!\u2068)3 שרה|^\u2068/m);
  }
});

test('the site’s name is shown in its own letters where people read it', () => {
  const publicUrl = 'https://xn--forodelnio-19a.example:8443';
  const own = { communityName: 'Barrio', publicUrl };
  const { text, html } = confirmMessage(own, { link: `${publicUrl}/confirm#secreto` });
  assert.ok(text.includes('\nhttps://forodelniño.example:8443/confirm#secreto\n'));
  assert.ok(text.endsWith('\nBarrio\nhttps://forodelniño.example:8443\n'));
  assert.ok(html.includes(`href="${publicUrl}/confirm#secreto"`));
  assert.ok(html.includes('>forodelniño.example:8443<'));
  assert.doesNotMatch(text + html.replace(/href="[^"]*"/g, ''), /xn--/);
});

test('mail is from the community, unless the setting has a name', () => {
  const address = 'foro@foro.example';
  assert.deepEqual(fromPlace(place, { name: '', address }).from, { name: 'Barrio', address });
  const from = { name: 'Foro de barrio', address };
  assert.deepEqual(fromPlace(place, from).from, from);
});

test('texts are cut between graphemes', () => {
  const family = '👨‍👩‍👧‍👦';
  const accented = 'é'.normalize('NFD');
  const { subject, text } = news({
    notifications: [{ ...reply, people: named(family.repeat(80)), excerpt: accented.repeat(300) }],
  });
  assert.equal(subject, `${family.repeat(40)}… te respondió en Cine`);
  assert.ok(text.includes(`«${accented.repeat(200)}…»`));
});

test('each line about several dates is a line of its own, also in HTML', () => {
  const time = { end: null, location: '', cancelled: false, reason: '', before: null };
  const dates = ['2027-03-01T20:30', '2027-03-08T20:30'].map((start, position) => ({
    ...{ ...time, position, start },
  }));
  const { html, text } = news({
    notifications: [
      {
        ...{ id: 1, kind: 'event', number: 4, channel: reply.channel, title: 'Ensayo', dates },
        ...{ createdAt: reply.createdAt, isNew: true, excerpt: 'El primero\nEl segundo' },
      },
    ],
  });
  assert.match(html, />El primero<br>El segundo</);
  assert.match(text, /^El primero\nEl segundo$/m);
});
