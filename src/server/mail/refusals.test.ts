import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Person } from '../../../test/forum/forum.ts';
import type { Refusal } from '../../../test/mail/mail-server.ts';
import { mailedForum, tokenIn } from '../../../test/mail/mailed-forum.ts';
import { providerAnswers } from '../../../test/mail/provider-answers.ts';
import { apiRoutes } from '../../shared/api-routes.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const site = mailedForum();
const { wait, sendAll, sent, settingsOf, confirmed, answered, setEvery } = site;

const problemOf = async (person: Person) => (await settingsOf(person)).email?.problem;

/** A reply in another channel. */
async function answeredAgain(person: Person, other: Person, text: string): Promise<void> {
  const { _id } = await site.forum.channel(other, 'Libros');
  await site.forum.comment(person, _id, 'Empiezo yo');
  await site.forum.comment(other, _id, text, { replyTo: 1 });
}

/** Makes a pass, which throws when the server cannot be used for any mail. */
const pass = () => sendAll(true).catch(() => {});

for (const [title, { at = 'RCPT TO', isAboutAddress = false, ...refusal }] of Object.entries(
  providerAnswers,
)) {
  test(`${title}: ${isAboutAddress ? 'the address is tried again a week later' : 'the news is sent once the server takes it'}`, async () => {
    const ana = await confirmed();
    await answered(ana);
    wait(2 * hourMs);
    site.server.refusedCommand = at;
    site.server.refuse = () => refusal;
    await pass();
    assert.equal(await problemOf(ana), isAboutAddress ? 'refused' : null);
    site.server.refuse = undefined;
    wait(hourMs);
    if (isAboutAddress) {
      assert.deepEqual(await sent(), []);
      wait(7 * dayMs - 2 * hourMs);
      assert.deepEqual(await sent(), []);
      wait(hourMs);
    }
    const [mail, ...others] = await sent();
    assert.deepEqual([mail?.recipients, others], [[ana.email], []]);
    assert.ok(mail?.text?.includes('Yo también'));
    assert.equal(await problemOf(ana), null);
  });
}

test('after three mails in a row that were given up, an account is mailed once a week until one is accepted, which has all that the others had', async () => {
  const ana = await confirmed();
  const { other } = await answered(ana, 'El primer día');
  wait(2 * hourMs);
  let tries = 0;
  const full: Refusal = { code: 452, text: '4.2.2 The email account is over quota' };
  site.server.refuse = (recipient) => {
    if (recipient !== ana.email) return undefined;
    tries++;
    return full;
  };
  /** Makes a pass every two hours, while others are mailed. @returns how often the mail was tried */
  const days = async (count: number) => {
    tries = 0;
    for (let passes = 0; passes < count * 12; passes++) {
      if (passes % 6 === 0) await site.forum.person();
      await pass();
      wait(2 * hourMs);
    }
    return tries;
  };
  assert.ok((await days(2)) > 10);
  assert.equal(await problemOf(ana), null);
  await days(1);
  assert.equal(await problemOf(ana), 'given_up');
  await answeredAgain(ana, other, 'Otro día');
  assert.equal(await days(6), 0);
  assert.ok((await days(2)) > 5, 'it is tried for a day');
  assert.equal(await days(5), 0);
  site.server.refuse = undefined;
  site.server.take();
  wait(2 * dayMs);
  const [mail, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.ok(mail?.text?.includes('El primer día') && mail.text.includes('Otro día'));
  assert.equal(await problemOf(ana), null);
  await answeredAgain(ana, other, 'Después');
  wait(hourMs);
  assert.equal((await sent()).length, 1);
});

test('a mailbox that takes no digest until it is given up is left alone until the next morning', async () => {
  const ana = await confirmed();
  const body = { email: { every: 'day', zone: 'UTC' } };
  await site.forum.json('PATCH', apiRoutes.notificationSettings, { token: ana.token, body });
  await answered(ana);
  const eight = Math.ceil(site.now() / dayMs) * dayMs + 8 * hourMs;
  site.setTime(eight);
  const tries: number[] = [];
  site.server.refuse = (recipient) => {
    if (recipient !== ana.email) return undefined;
    tries.push((site.now() - eight) / hourMs);
    return { code: 452, text: '4.2.2 The mailbox is over quota' };
  };
  // The growing pauses between attempts, then each hour.
  const minutes = [1, 2, 4, 8, 16, 32, 64, 128, 240, 240, ...Array<number>(11).fill(60)];
  for (const [index, pause] of minutes.entries()) {
    // Others are mailed.
    if (index === 6) await site.forum.person();
    await pass();
    wait(pause * 60_000);
  }
  await pass();
  assert.ok(tries.length > 8, 'it is tried all day');
  assert.ok(Math.max(...tries) < 13, 'until a further attempt would come at night');
  assert.equal(await problemOf(ana), null);
  site.server.refuse = undefined;
  wait(hourMs);
  const mails = (await sent()).filter(({ recipients }) => recipients.includes(ana.email));
  assert.equal(mails.length, 1);
});

test('a text that the mail server refuses for good does not end the news of those it is about', async () => {
  const ana = await confirmed();
  const { other } = await answered(ana, 'Compra en casino.example');
  wait(2 * hourMs);
  site.server.refusedCommand = 'DATA';
  site.server.refuse = (_recipient, text) =>
    text.includes('casino') ? { code: 554, text: '5.7.1 Message contains spam' } : undefined;
  const [bare, ...others] = await sent();
  assert.deepEqual(others, []);
  assert.equal(bare?.subject, '1 aviso en tertulia');
  assert.match(bare?.text ?? '', /Verlo en el foro\n?.*\/notifications/s);
  assert.doesNotMatch(bare?.text ?? '', /Bea|Cine/);
  await answeredAgain(ana, other, 'Otra cosa');
  wait(2 * hourMs);
  const [mail] = await sent();
  assert.ok(mail?.text?.includes('Otra cosa'));
});

test('news that a wrong address did not get is sent to the new one', async () => {
  const ana = await confirmed();
  await answered(ana);
  wait(2 * hourMs);
  await sent();
  const { other } = await answered(ana, 'No llega');
  wait(2 * hourMs);
  site.server.refuse = () => ({ code: 550, text: '5.1.1 no such user' });
  await pass();
  site.server.refuse = undefined;
  const email = `nueva-${ana.email}`;
  const body = { email, currentPassword: ana.password };
  await site.forum.json('PATCH', apiRoutes.me, { token: ana.token, body });
  await sendAll();
  const link = site.server.take().find(({ recipients }) => recipients.includes(email));
  assert.equal((await site.confirm(tokenIn(link))).status, 204);
  await answeredAgain(ana, other, 'Llega');
  wait(2 * hourMs);
  const [mail] = await sent();
  assert.ok(mail?.text?.includes('No llega') && mail.text.includes('Llega'));
});

const badDays: Record<string, (isBad: boolean) => void> = {
  'is down': (isBad) => {
    site.server.isDropping = isBad;
  },
  'takes no mail of the site': (isBad) => {
    const refusal = { code: 550, text: '5.7.1 Sender blocked' };
    site.server.refuse = isBad ? () => refusal : undefined;
  },
};

for (const [title, makeBad] of Object.entries(badDays))
  test(`a mail server that ${title} for days counts against nobody, and news of those days is sent when it is back`, async () => {
    const ana = await confirmed();
    const { other } = await answered(ana, 'El primer día');
    wait(2 * hourMs);
    makeBad(true);
    for (let hour = 0; hour < 4 * 24; hour++) {
      await pass();
      if (hour === 60) await answeredAgain(ana, other, 'El tercero');
      wait(hourMs);
    }
    site.server.take();
    assert.equal(await problemOf(ana), null);
    makeBad(false);
    wait(4 * hourMs);
    const [mail, ...others] = await sent();
    assert.deepEqual(others, []);
    assert.ok(mail?.text?.includes('El primer día') && mail.text.includes('El tercero'));
    wait(hourMs);
    assert.deepEqual(await sent(), []);
  });

test('an owner who saves the settings again is mailed at once', async () => {
  const ana = await confirmed();
  await answered(ana);
  wait(2 * hourMs);
  site.server.refuse = () => ({ code: 550, text: '5.1.1 no such user' });
  await pass();
  site.server.refuse = undefined;
  await setEvery(ana, 'hour');
  assert.equal((await sent()).length, 1);
});

test('a mail of which nothing is left is not queued again', async () => {
  const ana = await confirmed();
  const { channelId, other } = await answered(ana);
  wait(2 * hourMs);
  site.server.refuse = () => ({ code: 450, text: 'later' });
  await pass();
  site.server.refuse = undefined;
  await site.forum.json('DELETE', apiRoutes.channelComment(channelId, 2), { token: other.token });
  wait(hourMs);
  const { db } = site.forum.services;
  const mails = () =>
    db.selectFrom('mails').select('id').where('account_id', '=', ana.id).execute();
  assert.deepEqual(await sent(), []);
  const before = await mails();
  wait(hourMs);
  assert.deepEqual(await sent(), []);
  assert.deepEqual(await mails(), before);
});
