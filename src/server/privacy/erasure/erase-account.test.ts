import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { answeredDates } from '../../../../test/forum/dated-comment.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { expectProblem, type Forum } from '../../../../test/forum/forum.ts';
import {
  askForDeletion,
  leaveTraces,
  readAll,
  tracedName,
} from '../../../../test/forum/leave-traces.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { NotificationPage } from '../../../shared/notifications.ts';
import type { Thankful } from '../../../shared/people.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { tellOfEvents } from '../../notifications/pass/tell-events.ts';
import { backupFolder } from '../../operation/backups/backup-folder.ts';
import { buildIndex } from '../../search-index/build-index.ts';
import { cancelDeletion } from '../deletion/deletion-request.ts';
import { eraseDueAccounts } from './erase-account.ts';
import { ledgerIn, readLedger } from './erasure-ledger.ts';

const dayMs = 86_400_000;
onBothEngines('an erased account', (forum, wait, engine) => {
  let made = 0;
  const begin = async () => leaveTraces(forum(), `zoraida-${made++}@ejemplo.es`);
  const eraseNow = async () => {
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().services);
    wait(60_001);
    await eraseDueAccounts(forum().services);
  };
  const comments = async ({ _id }: Channel) =>
    (await forum().allComments(_id)).map(({ number, autor, comment, mentions, replyExcerpt }) => [
      number,
      autor,
      comment,
      mentions.map(({ start, name }) => `${start} ${name}`).join(),
      replyExcerpt,
    ]);

  test('keeps its texts without its name, which no row, page, image or search contains', async () => {
    const { zoraida, shared, own, img } = await begin();
    const thankful = async () =>
      (await forum().json<{ data: Thankful[] }>('GET', apiRoutes.thanks(shared._id, 2))).data;
    assert.deepEqual(
      (await thankful()).map(({ id }) => id),
      [zoraida.id],
    );
    await buildIndex(forum().services, new AbortController().signal);
    assert.ok((await readAll(forum(), shared)).includes('Quintanar'));
    await askForDeletion(forum(), zoraida, 'anonymous');
    wait(14 * dayMs - 60_000);
    await eraseDueAccounts(forum().services);
    assert.ok((await findText(forum(), zoraida.email)).length > 0);
    const reader = await LiveReader.open(forum(), shared._id);
    wait(60_001);
    await eraseDueAccounts(forum().services);
    assert.deepEqual(await findText(forum(), zoraida.email), []);
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    assert.ok((await reader.next()).event);
    reader.close();
    wait(60_001);
    assert.equal(await eraseDueAccounts(forum().services), 1);
    assert.equal(await eraseDueAccounts(forum().services), 0);

    assert.ok(!(await readAll(forum(), shared)).includes('Quintanar'));
    assert.deepEqual(await comments(own), [[1, 'cuenta eliminada', 'Nadie más escribe', '', '']]);
    assert.deepEqual(await comments(shared), [
      [1, 'cuenta eliminada', 'Hola, Berta', '', ''],
      [
        2,
        'Berta',
        'Buenas @cuenta eliminada y @Berta y @cuenta eliminada.',
        '27 Berta',
        'Hola, Berta',
      ],
      [3, 'Berta', 'La cito', '', 'Buenas @cuenta eliminada y @Berta y @cuenta eliminada.'],
      [6, 'Berta', 'Ahora no', '', ''],
      [7, 'Berta', 'Cito lo de antes', '', 'Ahora no'],
    ]);
    const [, mentioning] = await forum().allComments(shared._id);
    assert.deepEqual(
      [mentioning?.revision, mentioning?.editedAt, mentioning?.thanks.count],
      [1, null, 0],
    );
    assert.deepEqual(await thankful(), []);
    for (const channel of [shared, own]) {
      assert.ok(!(await readAll(forum(), channel)).includes(pageRoutes.user(zoraida.id)));
    }
    for (const url of [img, apiRoutes.user(zoraida.id), pageRoutes.user(zoraida.id)]) {
      assert.equal((await forum().call('GET', url)).status, 404, url);
    }
    const { token } = zoraida;
    await expectProblem(await forum().call('GET', apiRoutes.me, { token }), 401, 'not_signed_in');
    const signedIn = await forum().signIn(zoraida.email, zoraida.password);
    await expectProblem(signedIn, 401, 'wrong_credentials');
    await forum().person('Otra', zoraida.email);
    const last = (await readLedger(ledgerIn(backupFolder(forum().services.config)))).at(-1);
    assert.equal(last?.kind === 'erased' && last.content, 'anonymous');
  });

  test('loses its answers to dates, which counts follow, and who waited has its place and is told', async () => {
    const { zoraida, berta, rehearsals } = await begin();
    const counts = async () => {
      const [comment] = await forum().allComments(rehearsals._id);
      return comment?.event?.dates.map(({ yes, waiting }) => [yes, waiting]);
    };
    const oneWaits = [
      [1, 1],
      [1, 1],
    ];
    assert.deepEqual(await counts(), oneWaits);
    await askForDeletion(forum(), zoraida, 'anonymous');
    await eraseNow();
    const oneComes = [
      [1, 0],
      [1, 0],
    ];
    assert.deepEqual(await counts(), oneComes);
    await tellOfEvents(forum().services, forum().services.now());
    const { token } = await forum().newSession(berta);
    const { data } = await forum().json<NotificationPage>('GET', apiRoutes.notifications, {
      token,
    });
    assert.deepEqual(
      data.map(({ kind }) => kind),
      ['place', 'decision'],
    );
    const left = await findText(forum(), zoraida.id);
    assert.deepEqual(
      left.filter((row) => /^(event|comment_events|notifications)/.test(row)),
      [],
    );
  });

  test('has its dates to come erased with their answers once people were told, if it asked for everything to be erased', async () => {
    const [ana, bea, leo] = [
      await forum().person('Ana'),
      await forum().person('Bea'),
      await forum().person('Leo'),
    ];
    const { _id } = await forum().channel(bea);
    await answeredDates(forum(), ana, _id, [bea, leo]);
    await askForDeletion(forum(), ana, 'erase');
    await eraseNow();
    const told = async (name: string) =>
      (await findText(forum(), _id)).filter((row) => row.startsWith(`${name} `)).length;
    assert.deepEqual(await forum().allComments(_id), []);
    assert.deepEqual([await told('event_dates'), await told('notifications')], [2, 0]);
    await tellOfEvents(forum().services, forum().services.now());
    wait(2 * 60_000);
    await tellOfEvents(forum().services, forum().services.now());
    assert.equal(await told('notifications'), 2);
    wait(3_600_001);
    await eraseDueAccounts(forum().services);
    const left = await findText(forum(), _id);
    assert.deepEqual(
      left.filter((row) => !/^(channels|visible_channels|search_\w+|audit_log) /.test(row)),
      [],
    );
    wait(60_001);
    await eraseDueAccounts(forum().services);
    assert.equal(await eraseDueAccounts(forum().services), 0);
  });

  test('loses everything it wrote if requested, and channels where nobody else wrote', async () => {
    const { zoraida, shared, own } = await begin();
    await askForDeletion(forum(), zoraida, 'erase');
    await eraseNow();
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    assert.equal((await forum().call('GET', apiRoutes.channel(own._id))).status, 404);
    assert.deepEqual(await findText(forum(), own._id), []);
    const { autor, commentCount } = await forum().json<Channel>(
      'GET',
      apiRoutes.channel(shared._id),
    );
    assert.deepEqual([autor, commentCount], ['cuenta eliminada', 4]);
    const [first] = await forum().allComments(shared._id);
    assert.deepEqual(
      [first?.number, first?.replyTo, first?.replyAutor, first?.replyExcerpt],
      [2, 1, '', ''],
    );
  });

  test('keeps no choice of the person in its row', async () => {
    const { id } = await forum().person();
    const other = await forum().person();
    const { db } = forum().services;
    const chosen = {
      follow: 'all',
      important: 'never',
      calendar_renewals: 3,
      tells_channels: 0,
      mail_every: 'hour',
      zone: 'Asia/Tokyo',
    } as const;
    const more = { mail_moderation: 'never', push_excerpts: 1, quiet_nights: 1 } as const;
    const times = { mailed_at_ms: 5, moderation_mailed_at_ms: 6, mail_after_ms: 7 };
    const values = { ...chosen, ...more, ...times, mails_given_up: 2, mail_refused_at_ms: 8 };
    const account = db.updateTable('accounts').where('id', '=', id);
    await account.set({ ...values, recovery_reminded_at_ms: 9 }).execute();
    await account.set({ deletion_at_ms: 1, deletion_content: 'anonymous' }).execute();
    await eraseNow();
    const columns = Object.keys({
      ...values,
      recovery_reminded_at_ms: 9,
    }) as (keyof typeof values)[];
    const row = (of: string) =>
      db.selectFrom('accounts').select(columns).where('id', '=', of).executeTakeFirstOrThrow();
    assert.deepEqual({ ...(await row(id)) }, { ...(await row(other.id)) });
  });

  test('is recorded once when several processes erase it, and does not wait for another that fails', async () => {
    const [ana, eva] = [await forum().person(), await forum().person()];
    for (const person of [ana, eva]) await askForDeletion(forum(), person, 'erase');
    wait(14 * dayMs + 1);
    const withTransaction: Forum['services']['withTransaction'] = async (lockKey, work) => {
      if (lockKey === `account ${ana.id}`) throw new Error('failed');
      return forum().services.withTransaction(lockKey, work);
    };
    await assert.rejects(eraseDueAccounts({ ...forum().services, withTransaction }), /failed/);
    assert.deepEqual(await findText(forum(), eva.email), []);
    await eraseDueAccounts(forum().services);
    wait(60_001);
    await Promise.all([1, 2, 3].map(() => eraseDueAccounts(forum().services)));
    const { db } = forum().services;
    const entries = await db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', ana.id)
      .where('action', '=', 'erase-account')
      .execute();
    assert.equal(entries.length, 1);
  });

  test('is either kept or erased when the operator cancels its deletion at the last moment', async () => {
    for (let i = 0; i < 4; i++) {
      const person = await forum().person();
      await askForDeletion(forum(), person, 'erase');
      wait(14 * dayMs + 1);
      const { token } = await forum().newSession(person);
      const [isKept] = await Promise.all([
        cancelDeletion({ ...forum().services, actorName: 'ada' }, person.id).catch((error) => {
          assert.equal(error.code, 'not_restorable');
          return false;
        }),
        eraseDueAccounts(forum().services),
      ]);
      const me = await forum().call('GET', apiRoutes.me, { token });
      assert.equal(me.status, isKept ? 200 : 401);
      assert.equal((await findText(forum(), person.email)).length > 0, isKept);
    }
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('is erased completely when each step is interrupted once, and the clock was a year ahead at first', async () => {
    const { zoraida, shared } = await begin();
    await askForDeletion(forum(), zoraida, 'erase');
    wait(365 * dayMs);
    let done = false;
    for (let steps = 0; !done; steps++) {
      if (steps === 5) wait(-365 * dayMs);
      let left = steps;
      const withTransaction: Forum['services']['withTransaction'] = (lockKey, work) => {
        if (left-- === 0) throw new Error('killed');
        return forum().services.withTransaction(lockKey, work);
      };
      try {
        await eraseDueAccounts({ ...forum().services, withTransaction });
        done = true;
      } catch (error) {
        assert.match(String(error), /killed/);
      }
    }
    wait(60_001);
    await eraseDueAccounts(forum().services);
    assert.equal(await eraseDueAccounts(forum().services), 0);
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    const { commentCount } = await forum().json<Channel>('GET', apiRoutes.channel(shared._id));
    assert.equal(commentCount, (await forum().allComments(shared._id)).length);
  });

  test('has its comments of a channel erased together, with one change of the channel’s row for all', async () => {
    const [zoraida, berta] = [await forum().person(tracedName), await forum().person()];
    const { _id: channelId } = await forum().channel(berta);
    for (let i = 0; i < 12; i++) await forum().comment(zoraida, channelId, `Comentario ${i}`);
    const { number } = await forum().comment(zoraida, channelId, 'Pregunta');
    await forum().comment(berta, channelId, 'Respuesta', { replyTo: number });
    await askForDeletion(forum(), zoraida, 'erase');
    wait(14 * dayMs + 1);
    let announced = 0;
    const withTransaction: Forum['services']['withTransaction'] = (lockKey, work) =>
      forum().services.withTransaction(lockKey, (trx, announce) =>
        work(trx, (change) => {
          if ('channelId' in change && change.channelId === channelId) announced++;
          return announce(change);
        }),
      );
    await eraseDueAccounts({ ...forum().services, withTransaction });
    assert.equal(announced, 1);
    assert.equal((await forum().allComments(channelId)).length, 1);
  });
});
