import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { mailedForum } from '../../../../test/mail/mailed-forum.ts';
import { startPushedForum } from '../../../../test/push/pushed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const mails = mailedForum();
let pushes: Awaited<ReturnType<typeof startPushedForum>>;
before(async () => {
  pushes = await startPushedForum('sqlite');
});
after(() => pushes?.stop());

/** A person whose mail about the address is sent. */
async function other(): Promise<Person> {
  const person = await mails.forum.person('Bea');
  await mails.sendAll();
  mails.server.take();
  return person;
}

test('comments of a followed channel are mailed in the rhythm of the person, who is told of them once until they look', async () => {
  const { forum, wait, sent, confirmed } = mails;
  const ana = await confirmed();
  const bea = await other();
  const { _id } = await forum.channel(bea, 'Ensayos');
  const { token } = ana;
  await forum.json('PUT', apiRoutes.level(_id), { token, body: { level: 'all' } });
  await forum.comment(bea, _id, 'Mañana no hay ensayo');
  wait(21_000);
  assert.deepEqual(await sent(), []);
  await forum.comment(bea, _id, 'Estoy mala');
  wait(11 * minuteMs);
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.equal(mail?.subject, 'Bea escribió en Ensayos');
  assert.ok(mail?.text?.startsWith('Bea escribió en Ensayos · 2 nuevos\n«Mañana no hay ensayo»\n'));
  assert.doesNotMatch(mail?.text ?? '', /En los canales que sigues/);
  await forum.comment(bea, _id, 'Y no sé si el jueves');
  wait(2 * hourMs);
  assert.deepEqual(await sent(), []);
  const body = { channelId: _id, number: 3 };
  await forum.json('PUT', apiRoutes.reads, { token, body });
  await forum.comment(bea, _id, 'El jueves sí');
  wait(minuteMs);
  assert.deepEqual(await sent(), []);
  wait(11 * minuteMs);
  const [next] = await sent();
  assert.ok(next?.text?.includes('«El jueves sí»'));
});

test('a new channel is mailed only where the community follows everything', async () => {
  const { forum, wait, sent, confirmed } = mails;
  const ana = await confirmed();
  const bea = await other();
  await forum.channel(bea, 'Cocina');
  wait(11 * minuteMs);
  await sent();
  wait(11 * minuteMs);
  assert.deepEqual(await sent(), []);
  await changeSettings(forum, { follow: 'all' });
  await forum.channel(bea, 'Excursiones');
  wait(11 * minuteMs);
  const [mail] = await sent();
  assert.equal(mail?.subject, '2 canales nuevos');
  assert.deepEqual(mail?.recipients, [ana.email]);
  assert.ok(mail?.html?.includes('/?sort=new"'));
  await changeSettings(forum, {});
});

test('a followed channel is pushed once until its reader looks, a new channel never', async () => {
  const { forum, wait, pushed, subscribed } = pushes;
  const ana = await subscribed();
  const bea: Person = await forum.person('Bea');
  const { _id } = await forum.channel(bea, 'Ensayos');
  const { token } = ana;
  await forum.json('PUT', apiRoutes.level(_id), { token, body: { level: 'all' } });
  await forum.comment(bea, _id, 'Mañana no hay ensayo');
  wait(21_000);
  const [push, ...others] = await pushed();
  assert.deepEqual(others, []);
  assert.equal(push?.text.title, 'Bea escribió en Ensayos');
  assert.equal(push?.text.url, `/channel/${_id}?n=1#comentario-1`);
  await forum.comment(bea, _id, 'Estoy mala');
  wait(11 * minuteMs);
  assert.deepEqual(await pushed(), []);
  wait(minuteMs);
  assert.deepEqual(await pushed(), []);
  const body = { channelId: _id, number: 2 };
  await forum.json('PUT', apiRoutes.reads, { token, body });
  await forum.comment(bea, _id, 'El jueves sí');
  wait(minuteMs);
  assert.equal((await pushed()).length, 1);
});
