import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { comment, decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import type { Received } from '../../../../test/mail/mail-server.ts';
import { mailedForum, tokenIn } from '../../../../test/mail/mailed-forum.ts';
import type { User } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { PendingPost } from '../../../shared/pending.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const site = mailedForum();
const { wait, sent, sendAll, confirm, confirmed, answered } = site;

const to = (mails: Received[], { email }: Pick<Person, 'email'>) =>
  mails.filter(({ recipients }) => recipients.includes(email));

test('a decision is mailed once, ten minutes later, with its reason and a link to it, and not to an unconfirmed address', async () => {
  const [ana, bea, eva] = [await confirmed(), await site.forum.person(), await staff(site.forum)];
  wait(hourMs);
  const { _id } = await site.forum.channel(bea, 'Cine');
  await site.forum.comment(ana, _id, 'Sois unos necios');
  await sendAll();
  site.server.take();
  const subject = comment(_id, 1);
  const hidden = await decided(site.forum, eva, { subject, action: 'hide', reason: 'Insulta.' });
  await decided(site.forum, eva, { subject: user(bea), action: 'silence', days: 1 });
  wait(9 * minuteMs);
  assert.deepEqual(await sent(), []);
  wait(minuteMs);
  const [mail, ...others] = await sent();
  assert.deepEqual([mail?.recipients, others], [[ana.email], []]);
  assert.equal(mail?.subject, 'El equipo de moderación ha ocultado tu comentario');
  assert.match(
    mail?.text ?? '',
    /\nMotivo: Insulta\.\nhttps:\/\/foro\.example\/settings#decision-/,
  );
  assert.ok(mail?.html?.includes(`/settings#decision-${hidden.id}`));
  await undone(site.forum, eva, hidden);
  wait(2 * hourMs);
  const [next] = await sent();
  assert.match(next?.text ?? '', /ha deshecho lo que había decidido\nMotivo: Me equivoqué\./);
  wait(2 * hourMs);
  assert.deepEqual(await sent(), []);
});

test('whoever is suspended or hidden is mailed decisions and no other news, and one who was erased nothing', async () => {
  const eva = await staff(site.forum);
  const people = [];
  for (const action of ['suspend', 'hideAll', 'hideAll'] as const) {
    const person = await confirmed();
    await answered(person);
    await decided(site.forum, eva, { subject: user(person), action, reason: `Por ${action}` });
    people.push({ person, action });
  }
  const erased = people.pop()?.person;
  assert.ok(erased);
  const { db, now } = site.forum.services;
  const gone = { erased_at_ms: now(), email_key: null };
  await db.updateTable('accounts').set(gone).where('id', '=', erased.id).execute();
  wait(2 * hourMs);
  const mails = await sent();
  for (const { person, action } of people) {
    const [mail, ...others] = to(mails, person);
    assert.deepEqual(others, []);
    assert.ok(mail?.text?.includes(`Motivo: Por ${action}`), action);
    assert.doesNotMatch(mail?.text ?? '', /Yo también|Cine/);
  }
  assert.deepEqual(to(mails, erased), []);
});

test('a person who asked for an account is mailed that it was let in or refused, and an author that a post was published', async () => {
  const eva = await staff(site.forum);
  const { _id } = await site.forum.channel(eva, 'Cine');
  await changeSettings(site.forum, { registration: 'request' });
  const accounts: User[] = [];
  for (const action of ['approve', 'reject']) {
    const email = `${crypto.randomUUID()}@ejemplo.es`;
    const body = { name: 'Zoraida', email, password: 'clave larga' };
    const account = await site.forum.json<User>('POST', apiRoutes.signUp, { body });
    await sendAll();
    const [mail] = to(site.server.take(), account);
    assert.equal((await confirm(tokenIn(mail))).status, 204);
    await decided(site.forum, eva, { subject: user(account), action, reason: 'Aquí no.' });
    accounts.push(account);
  }
  await reviewFirstPosts(site.forum);
  const ana = await confirmed();
  const body = { id: _id, comment: 'Hola' };
  const { token } = ana;
  const post = await site.forum.json<PendingPost>('PUT', apiRoutes.comment, { token, body });
  const subject = { kind: 'comment', id: post.id } as const;
  await decided(site.forum, eva, { subject, action: 'approve' });
  await changeSettings(site.forum, {});
  const { db } = site.forum.services;
  await db
    .updateTable('accounts')
    .set({ mail_every: 'hour' })
    .where('name', '=', 'Zoraida')
    .execute();
  wait(2 * hourMs);
  const mails = await sent();
  const subjectOf = (person: Pick<Person, 'email'>) => to(mails, person)[0]?.subject;
  const [letIn, refused] = accounts;
  assert.ok(letIn && refused);
  assert.equal(subjectOf(letIn), 'El equipo de moderación ha aceptado tu cuenta');
  assert.equal(subjectOf(refused), 'El equipo de moderación no ha aceptado tu cuenta');
  assert.match(
    to(mails, refused)[0]?.text ?? '',
    /Motivo: Aquí no\.\nhttps:\/\/foro\.example\/login\n/,
  );
  assert.equal(subjectOf(ana), 'El equipo de moderación ha publicado lo que escribiste en Cine');
  assert.ok(to(mails, ana)[0]?.text?.includes(`/channel/${_id}?n=`));
});

test('one decision about many accounts mails each of them once, ten in a pass', async () => {
  const eva = await staff(site.forum);
  const people: Person[] = [];
  for (let index = 0; index < 13; index++) people.push(await confirmed());
  const ids = people.map(({ id }) => id);
  await decided(site.forum, eva, { subject: { kind: 'users', ids }, action: 'hideAll' });
  wait(2 * hourMs);
  const passes = [await sent(), await sent(), await sent()];
  assert.deepEqual(
    passes.map(({ length }) => length),
    [10, 3, 0],
  );
  const recipients = passes.flat().flatMap((mail) => mail.recipients);
  assert.equal(new Set(recipients).size, 13);
});
