import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
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
import { pageRoutes } from '../../../shared/routes.ts';
import { backupFolder } from '../../backups/backup-folder.ts';
import { ledgerIn, readLedger } from '../../backups/erasure-ledger.ts';
import { buildIndex } from '../../search/index/build-index.ts';
import { eraseDueAccounts } from './erase-account.ts';

const dayMs = 86_400_000;
onBothEngines('an erased account', (forum, wait) => {
  let made = 0;
  const begin = async () => leaveTraces(forum(), `zoraida-${made++}@ejemplo.es`);
  const eraseNow = async () => {
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().deps);
    wait(60_001);
    await eraseDueAccounts(forum().deps);
  };
  const comments = async ({ _id }: Channel) =>
    (await forum().allComments(_id)).map(({ number, autor, comment, mentions, replyExcerpt }) => [
      number,
      autor,
      comment,
      mentions.map(({ start, name }) => `${start} ${name}`).join(),
      replyExcerpt,
    ]);

  const versionsWith = (text: string) =>
    forum()
      .deps.db.selectFrom('comment_versions')
      .select('text')
      .where('text', '=', text)
      .execute();

  test('leaves its texts without its name, which no row, page, picture or search shows', async () => {
    const { zoraida, shared, own, img } = await begin();
    await buildIndex(forum().deps, new AbortController().signal);
    assert.ok((await readAll(forum(), shared)).includes('Quintanar'));
    await askForDeletion(forum(), zoraida, 'anonymous');
    wait(14 * dayMs - 60_000);
    await eraseDueAccounts(forum().deps);
    assert.ok((await findText(forum(), zoraida.email)).length > 0);
    const reader = await LiveReader.open(forum(), shared._id);
    wait(60_001);
    await eraseDueAccounts(forum().deps);
    assert.deepEqual(await findText(forum(), zoraida.email), []);
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    assert.ok((await reader.next()).event);
    reader.close();
    wait(60_001);
    assert.equal(await eraseDueAccounts(forum().deps), 1);
    assert.equal(await eraseDueAccounts(forum().deps), 0);

    assert.ok(!(await readAll(forum(), shared)).includes('Quintanar'));
    assert.deepEqual(await comments(own), [[1, 'cuenta eliminada', 'Nadie más escribe', '', '']]);
    assert.deepEqual(await comments(shared), [
      [1, 'cuenta eliminada', 'Hola, Berta', '', ''],
      [2, 'Berta', 'Buenas @cuenta eliminada y @Berta y @cuenta eliminada.', '27 Berta', 'Hola'],
      [3, 'Berta', 'La cito', '', 'uenas @cuenta eliminada'],
      [6, 'Berta', 'Ahora no', '', ''],
      [7, 'Berta', 'Cito lo de antes', '', ''],
    ]);
    const [, mentioning] = await forum().allComments(shared._id);
    assert.deepEqual(
      [mentioning?.revision, mentioning?.editedAt, mentioning?.thanks.count],
      [2, null, 0],
    );
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
    const ledger = await readLedger(ledgerIn(backupFolder(forum().deps.config)));
    assert.equal(ledger.at(-1)?.content, 'anonymous');
  });

  test('takes with it all that it wrote, and channels where nobody else did', async () => {
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

  test('is erased as a whole when each step is broken off once', async () => {
    const { zoraida, shared } = await begin();
    await askForDeletion(forum(), zoraida, 'erase');
    wait(14 * dayMs + 1);
    let done = false;
    for (let steps = 0; !done; steps++) {
      let left = steps;
      const transact: Forum['deps']['transact'] = (row, work) => {
        if (left-- === 0) throw new Error('killed');
        return forum().deps.transact(row, work);
      };
      try {
        await eraseDueAccounts({ ...forum().deps, transact });
        done = true;
      } catch (error) {
        assert.match(String(error), /killed/);
      }
    }
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    const { commentCount } = await forum().json<Channel>('GET', apiRoutes.channel(shared._id));
    assert.equal(commentCount, (await forum().allComments(shared._id)).length);
  });

  test('stays nowhere when a mention is edited out meanwhile, and namesakes keep what is quoted of them', async () => {
    const [ana, namesake] = [await forum().person(tracedName), await forum().person(tracedName)];
    await askForDeletion(forum(), ana, 'erase');
    wait(14 * dayMs + 1);
    const berta = await forum().person('Berta');
    const { _id } = await forum().channel(berta);
    const text = `Hola @${tracedName}`;
    const mention = (accountId: string) => [{ start: 5, length: tracedName.length + 1, accountId }];
    const write = (accountId: string) =>
      forum().comment(berta, _id, text, { mentions: mention(accountId) });
    const edit = (number: number, comment: string, mentions: object[]) =>
      forum().json('PATCH', apiRoutes.channelComment(_id, number), {
        token: berta.token,
        headers: { 'if-match': '"1"' },
        body: { comment, mentions },
      });
    await write(ana.id);
    await write(namesake.id);
    await forum().comment(berta, _id, 'Sí', { replyTo: 1, replyExcerpt: text.slice(0, -3) });
    await forum().comment(berta, _id, 'Sí', { replyTo: 2, replyExcerpt: text });
    await edit(2, `${text}.`, mention(namesake.id));
    let isEdited = false;
    const transact: Forum['deps']['transact'] = async (row, work) => {
      const value = await forum().deps.transact(row, work);
      if (!isEdited) {
        isEdited = true;
        await edit(1, 'Hola a todos', []);
      }
      return value;
    };
    await eraseDueAccounts({ ...forum().deps, transact });
    const quoted = await forum()
      .deps.db.selectFrom('comments')
      .select(['number', 'reply_excerpt'])
      .where('channel_id', '=', _id)
      .where('reply_to', 'is not', null)
      .orderBy('number')
      .execute();
    assert.deepEqual(
      quoted.map((row) => row.reply_excerpt),
      [null, text],
    );
    assert.deepEqual(await versionsWith(text), []);
  });

  test('takes its name out of the many earlier versions of a comment in few steps', async () => {
    const name = 'Belarmina';
    const person = await forum().person(name);
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    await forum().comment(author, _id, 'Ahora no');
    const { db, transact } = forum().deps;
    const versions = Array.from({ length: 120 }, (_, index) => ({
      channel_id: _id,
      number: 1,
      revision: index + 1,
      text: `@${name}, ${index}`,
      replaced_at_ms: Date.now(),
    }));
    await db.insertInto('comment_versions').values(versions).execute();
    await askForDeletion(forum(), person, 'anonymous');
    wait(14 * dayMs + 1);
    let steps = 0;
    const counting: typeof transact = (row, work) => {
      steps++;
      return transact(row, work);
    };
    await eraseDueAccounts({ ...forum().deps, transact: counting });
    assert.ok(steps < 20, `${steps} transactions`);
    assert.deepEqual(await findText(forum(), name), []);
  });

  test('takes its name out of what many replies quote in steps, also when it is interrupted', async () => {
    const name = 'Casimira';
    const person = await forum().person(name);
    const author = await forum().person();
    const { _id } = await forum().channel(author);
    const mentions = [{ start: 0, length: name.length + 1, accountId: person.id }];
    await forum().comment(author, _id, `@${name}, hola`, { mentions });
    await forum().comment(author, _id, 'Ahora no');
    const { db, transact } = forum().deps;
    const version = { channel_id: _id, number: 2, revision: 1, text: `@${name}, antes` };
    await db
      .insertInto('comment_versions')
      .values({ ...version, replaced_at_ms: Date.now() })
      .execute();
    const replies = Array.from({ length: 900 }, (_, index) => ({
      channel_id: _id,
      number: 3 + index,
      account_id: author.id,
      text: 'Sí',
      created_at_ms: Date.now(),
      edited_at_ms: null,
      reply_to: 1 + (index % 2),
      reply_excerpt: index % 2 ? `@${name}, antes` : `@${name}`,
    }));
    await db.insertInto('comments').values(replies).execute();
    await db
      .updateTable('comments')
      .set({ reply_count: 450 })
      .where('channel_id', '=', _id)
      .where('number', '<=', 2)
      .execute();
    const quoting = async () => {
      const rows = await db
        .selectFrom('comments')
        .select('number')
        .where('channel_id', '=', _id)
        .where('reply_excerpt', 'like', `@${name}%`)
        .execute();
      return rows.length;
    };
    await askForDeletion(forum(), person, 'anonymous');
    wait(14 * dayMs + 1);
    let left = await quoting();
    assert.equal(left, 900);
    let most = 0;
    let isKilled = false;
    const watching: typeof transact = async (row, work) => {
      const value = await transact(row, work);
      const now = await quoting();
      most = Math.max(most, left - now);
      left = now;
      if (!isKilled && now < 900) {
        isKilled = true;
        throw new Error('killed');
      }
      return value;
    };
    await assert.rejects(eraseDueAccounts({ ...forum().deps, transact: watching }), /killed/);
    await eraseDueAccounts({ ...forum().deps, transact: watching });
    assert.ok(most > 0 && most <= 200, `${most} in one transaction`);
    assert.deepEqual(await findText(forum(), name), []);
    const shown = await db
      .selectFrom('comments')
      .select('reply_excerpt')
      .where('channel_id', '=', _id)
      .where('reply_to', 'is not', null)
      .distinct()
      .execute();
    assert.deepEqual(
      new Set(shown.map((row) => row.reply_excerpt)),
      new Set(['@cuenta eliminada', null]),
    );
  });

  test('is recorded once when several processes erase it, and waits for no other that fails', async () => {
    const [ana, eva] = [await forum().person(), await forum().person()];
    for (const person of [ana, eva]) await askForDeletion(forum(), person, 'erase');
    wait(14 * dayMs + 1);
    const transact: Forum['deps']['transact'] = async (row, work) => {
      if (row === `account ${ana.id}`) throw new Error('failed');
      return forum().deps.transact(row, work);
    };
    await assert.rejects(eraseDueAccounts({ ...forum().deps, transact }), /failed/);
    assert.deepEqual(await findText(forum(), eva.email), []);
    await eraseDueAccounts(forum().deps);
    wait(60_001);
    await Promise.all([1, 2, 3].map(() => eraseDueAccounts(forum().deps)));
    const { db } = forum().deps;
    const entries = await db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', ana.id)
      .where('action', '=', 'erase-account')
      .execute();
    assert.equal(entries.length, 1);
  });

  test('is either kept or erased when it is cancelled at the last moment', async () => {
    for (let i = 0; i < 4; i++) {
      const person = await forum().person(tracedName);
      await askForDeletion(forum(), person, 'erase');
      wait(14 * dayMs + 1);
      const session = await forum().signIn(person.email, person.password);
      const { token } = (await session.json()) as { token: string };
      const [cancelled] = await Promise.all([
        forum().call('POST', apiRoutes.restoreMe, { token }),
        eraseDueAccounts(forum().deps),
      ]);
      const isKept = cancelled.status === 204;
      if (!isKept) assert.ok([401, 409].includes(cancelled.status));
      const me = await forum().call('GET', apiRoutes.me, { token });
      assert.equal(me.status, isKept ? 200 : 401);
      assert.equal((await findText(forum(), person.email)).length > 0, isKept);
    }
  });
});
