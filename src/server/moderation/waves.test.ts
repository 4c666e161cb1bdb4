import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../test/eventually.ts';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../test/forum/forum.ts';
import { expectIndexed } from '../../../test/forum/index-contents.ts';
import {
  comment,
  decide,
  decided,
  openCase,
  staff,
  undone,
  user,
} from '../../../test/forum/moderators.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { ArrivalList, Decision } from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { eraseDueAccounts } from '../accounts/erasure/erase-account.ts';
import { singleTransactions, type Transact } from '../database/transactions.ts';
import { publishing } from '../live/bus/live-bus.ts';
import { decide as decideDirectly } from './decide.ts';
import { undoDecision } from './undo.ts';
import { continueWaves } from './waves.ts';

onBothEngines('a wave', (forum, wait) => {
  /** All that decisions change. */
  async function snapshot() {
    const { db } = forum().deps;
    return [
      await db
        .selectFrom('comments')
        .select(['channel_id', 'number', 'deleted_at_ms', 'hidden_by', 'reply_count'])
        .orderBy('channel_id')
        .orderBy('number')
        .execute(),
      await db
        .selectFrom('channels')
        .select(['id', 'deleted_at_ms', 'hidden_by', 'comment_count', 'active_at_ms'])
        .orderBy('id')
        .execute(),
      await db.selectFrom('accounts').select(['id', 'hidden_by']).orderBy('id').execute(),
    ];
  }
  /** Waits until nothing remains of a wave. */
  async function finished({ token }: Person, { id }: Decision): Promise<void> {
    await eventually('the wave ends', async () => {
      const now = await forum().json<Decision>('GET', apiRoutes.decision(id), { token });
      return now.remaining === 0;
    });
  }
  const visibleOf = ({ id }: Person) =>
    forum()
      .deps.db.selectFrom('comments')
      .select('number')
      .where('account_id', '=', id)
      .where('hidden_at_ms', 'is', null)
      .where('deleted_at_ms', 'is', null)
      .execute();
  const operator = () => ({ ...forum().deps, actor: 'ada', note: '' });
  const hideAll = (accountId: string) =>
    decideDirectly(operator(), {
      ...{ subject: { kind: 'user', id: accountId }, action: 'hideAll', category: 'spam' },
      ...{ reason: 'Es publicidad.', days: null, version: undefined },
    });

  test('hides all of an account everywhere, and its undoing changes back exactly that', async () => {
    const [eva, author, reader] = [
      await staff(forum()),
      await forum().person('Spam'),
      await forum().person(),
    ];
    const { token } = author;
    const [shared, own] = [await forum().channel(reader), await forum().channel(author, 'Gangas')];
    for (let i = 1; i <= 45; i++) await forum().comment(author, shared._id, `ganga ${i}`);
    await forum().comment(reader, shared._id, 'hola', { replyTo: 1, replyExcerpt: 'ganga' });
    await forum().comment(reader, own._id, 'hola');
    await forum().json('DELETE', apiRoutes.channelComment(shared._id, 2), { token });
    await decided(forum(), eva, { subject: comment(shared._id, 3), action: 'hide' });
    const before = await snapshot();
    const page = async (url: string) => (await forum().call('GET', url)).text();
    const pages = [
      ...[pageRoutes.home, pageRoutes.channel(shared._id), pageRoutes.user(author.id)],
      ...[apiRoutes.userComments(author.id), apiRoutes.channelComments(shared._id)],
      `${apiRoutes.search}?q=ganga`,
    ];
    for (const url of pages) assert.match(await page(url), /[Gg]anga/, url);

    const wave = await decided(forum(), eva, { subject: user(author), action: 'hideAll' });
    assert.equal(wave.accounts, 1);
    await finished(eva, wave);
    for (const url of pages) {
      const shown = (await page(url)).replaceAll('q=ganga', '');
      assert.doesNotMatch(shown, /[Gg]anga [0-9]|Gangas/, url);
    }
    assert.equal((await forum().call('GET', apiRoutes.channel(own._id))).status, 404);
    const channel = await forum().json<{ commentCount: number }>(
      'GET',
      apiRoutes.channel(shared._id),
    );
    assert.equal(channel.commentCount, 1);
    const bin = await forum().call('POST', apiRoutes.restoreComment(shared._id, 2), { token });
    await expectProblem(bin, 403, 'silenced');
    const again = await decide(forum(), eva, { subject: user(author), action: 'hideAll' });
    assert.equal((await expectProblem(again, 409, 'already_decided')).decision?.id, wave.id);
    await undone(forum(), eva, wave);
    await finished(eva, wave);
    assert.deepEqual(await snapshot(), before);
    for (const url of pages) assert.match(await page(url), /[Gg]anga/, url);
    await expectIndexed(forum().deps.db);
  });

  test('hides people and their avatars, but not their names in what others wrote', async () => {
    const [eva, reader] = [await staff(forum(), 'admin'), await forum().person()];
    const person = await forum().person('Zutano Barato');
    const bytes = await quarters(60, 40).png().toBuffer();
    const upload = await forum().upload(person, bytes, { use: 'avatar' });
    const { downloadURL: img } = (await upload.json()) as { downloadURL: string };
    const body = { id: person.id, img };
    await forum().json('PUT', apiRoutes.updateImage, { token: person.token, body });
    const { _id } = await forum().channel(reader);
    const mention = { mentions: [{ start: 0, length: 14, accountId: person.id }] };
    await forum().comment(reader, _id, '@Zutano Barato', mention);
    const urls = [
      ...[apiRoutes.user(person.id), apiRoutes.userChannels(person.id)],
      ...[apiRoutes.userComments(person.id), pageRoutes.user(person.id), img],
    ];
    const expectSeen = async (isSeen: boolean) => {
      for (const url of urls)
        assert.equal((await forum().call('GET', url)).status, isSeen ? 200 : 404, url);
      const { people } = await forum().json<{ people: object[] }>(
        'GET',
        `${apiRoutes.search}?q=Zutano`,
      );
      const { data } = await forum().json<{ data: object[] }>(
        'GET',
        `${apiRoutes.users}?channel=${_id}&prefix=Zutano`,
        { token: reader.token },
      );
      assert.deepEqual([people.length, data.length], isSeen ? [1, 1] : [0, 0]);
      const [comment] = await forum().allComments(_id);
      assert.match(JSON.stringify(comment), /Zutano Barato/);
    };
    await expectSeen(true);
    const wave = await decided(forum(), eva, { subject: user(person), action: 'hideAll' });
    await finished(eva, wave);
    await expectSeen(false);
    await expectProblem(await forum().call('GET', urls[0] ?? ''), 404, 'user_not_found');
    // Moderators still find the person, and decide.
    const as = ({ token }: Person) => forum().call('GET', apiRoutes.user(person.id), { token });
    const found = await as(eva);
    const { name, hiddenBy } = (await found.json()) as { name: string; hiddenBy: string };
    assert.deepEqual([name, hiddenBy], ['Zutano Barato', wave.id]);
    assert.equal(found.headers.get('cache-control'), 'private, no-store');
    await expectProblem(await as(reader), 404, 'user_not_found');
    await decided(forum(), eva, { subject: user(person), action: 'suspend', days: 1 });
    await undone(forum(), eva, wave);
    await finished(eva, wave);
    await expectSeen(true);
  });

  test('takes fewer queries than it has comments, however many accounts wrote them', async () => {
    const { db, live } = forum().deps;
    const { _id } = await forum().channel(await forum().person());
    wait(3_600_000);
    const time = new Date(forum().deps.now()).toISOString();
    const raid = await Promise.all(Array.from({ length: 8 }, () => forum().person()));
    for (const one of [...raid, ...raid, ...raid, ...raid, ...raid])
      await forum().comment(one, _id, 'ganga');
    let queries = 0;
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        queries++;
        return result;
      },
    });
    const transact = publishing(singleTransactions(counting), live);
    const to = new Date(forum().deps.now()).toISOString();
    const id = await decideDirectly(operator(), {
      ...{ subject: { kind: 'arrivals', from: time, to, except: [] }, action: 'hideAll' },
      ...{ category: 'spam', reason: 'Es publicidad.', days: null, version: undefined },
    });
    for (const isShown of [false, true]) {
      if (isShown) await undoDecision(operator(), id);
      queries = 0;
      await continueWaves({ ...operator(), db: counting, transact });
      for (const one of raid) assert.equal((await visibleOf(one)).length, isShown ? 5 : 0);
      assert.ok(queries < 40, `${queries} queries`);
    }
    wait(3_600_000);
  });

  test('rests between its batches, so that pages do not wait for all of them', async () => {
    const author = await forum().person();
    const { _id } = await forum().channel(await forum().person());
    for (let i = 1; i <= 41; i++) await forum().comment(author, _id, 'ganga');
    // Thanks are counted in a batch for each channel.
    for (const _ of [1, 2]) {
      const thanked = await forum().person();
      const { _id: id } = await forum().channel(thanked);
      await forum().comment(thanked, id, 'uno');
      await forum().json('PUT', apiRoutes.thanks(id, 1), { token: author.token });
    }
    await hideAll(author.id);
    const turns: string[] = [];
    const transact: Transact = async (...args) => {
      if (!args[0].startsWith('channel')) return forum().deps.transact(...args);
      turns.push('batch');
      const result = await forum().deps.transact(...args);
      await new Promise((resolve) => setTimeout(resolve, 10));
      setTimeout(() => turns.push('page'), 5);
      return result;
    };
    await continueWaves({ ...operator(), transact });
    assert.deepEqual(turns, Array(5).fill(['batch', 'page']).flat());
  });

  /** Every transaction about this channel fails. */
  const failingFor = ({ _id }: { _id: string }) => {
    const transact: Transact = async (row, work) => {
      if (row.includes(_id)) throw new Error('broken');
      return forum().deps.transact(row, work);
    };
    return { ...operator(), transact };
  };

  test('that fails stops neither another one nor the rest of itself', async () => {
    const [author, older, reader] = [
      await forum().person(),
      await forum().person(),
      await forum().person(),
    ];
    const [broken, whole] = [await forum().channel(reader), await forum().channel(reader)];
    for (const { _id } of [broken, whole]) await forum().comment(author, _id, 'ganga');
    await forum().comment(older, whole._id, 'ganga');
    await hideAll(older.id);
    await hideAll(author.id);
    await assert.rejects(continueWaves(failingFor(broken)), /broken/);
    assert.deepEqual([(await visibleOf(older)).length, (await visibleOf(author)).length], [0, 1]);
    await continueWaves(operator());
    assert.deepEqual(await visibleOf(author), []);
  });

  test('whose thanks cannot be counted does not stop another one', async () => {
    const [grateful, older, reader] = [
      await forum().person(),
      await forum().person(),
      await forum().person(),
    ];
    const [broken, whole] = [await forum().channel(reader), await forum().channel(reader)];
    await forum().comment(reader, broken._id, 'hola');
    await forum().json('PUT', apiRoutes.thanks(broken._id, 1), { token: grateful.token });
    await forum().comment(older, whole._id, 'ganga');
    await hideAll(older.id);
    await hideAll(grateful.id);
    await assert.rejects(continueWaves(failingFor(broken)), /broken/);
    assert.deepEqual(await visibleOf(older), []);
    await continueWaves(operator());
  });

  test('counts the thanks of all its accounts for a comment together', async () => {
    const [eva, reader] = [await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(reader);
    const { db, now } = forum().deps;
    wait(60_000);
    const from = new Date(now()).toISOString();
    const grateful = [await forum().person(), await forum().person()];
    const subject = {
      kind: 'arrivals' as const,
      from,
      to: new Date(now()).toISOString(),
      except: [],
    };
    const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const _ of numbers) await forum().comment(reader, _id, 'hola');
    for (const { id } of grateful) {
      const rows = numbers.map((number) => ({ channel_id: _id, number, account_id: id }));
      await db
        .insertInto('comment_thanks')
        .values(rows.map((row) => ({ ...row, created_at_ms: now() })))
        .execute();
    }
    await db
      .updateTable('comments')
      .set({ thanks_count: 2 })
      .where('channel_id', '=', _id)
      .execute();
    const counts = async () => (await forum().allComments(_id)).map(({ thanks }) => thanks.count);
    const changes = async () =>
      (
        await db
          .selectFrom('channel_changes')
          .select('number')
          .where('channel_id', '=', _id)
          .execute()
      ).length;
    wait(1000);
    const wave = await decided(forum(), eva, { subject, action: 'hideAll' });
    await finished(eva, wave);
    assert.deepEqual([await changes(), new Set(await counts())], [60, new Set([0])]);
    await undone(forum(), eva, wave);
    await finished(eva, wave);
    assert.deepEqual([await changes(), new Set(await counts())], [120, new Set([2])]);
    wait(3_600_000);
  });

  test('takes along what its accounts are writing', async () => {
    const [eva, reader] = [await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(reader);
    const authors = await Promise.all(Array.from({ length: 4 }, () => forum().person()));
    const writing = authors.flatMap((author) =>
      Array.from({ length: 10 }, (_, i) =>
        forum().call('PUT', apiRoutes.comment, {
          token: author.token,
          body: { id: _id, comment: `ganga ${i}` },
        }),
      ),
    );
    const waves = authors.map((author) =>
      decided(forum(), eva, { subject: user(author), action: 'hideAll' }),
    );
    for (const answer of await Promise.all(writing)) assert.ok([200, 403].includes(answer.status));
    for (const wave of await Promise.all(waves)) await finished(eva, wave);
    for (const author of authors) assert.deepEqual(await visibleOf(author), []);
  });

  test('goes on in another process after it was killed, in both directions', async () => {
    const [author, reader] = [await forum().person(), await forum().person()];
    const { _id } = await forum().channel(reader);
    for (let i = 1; i <= 60; i++) await forum().comment(author, _id, `ganga ${i}`);
    const before = await snapshot();
    const stopping = new AbortController();
    const killed = {
      ...operator(),
      stopping: stopping.signal,
      transact: ((...args) => {
        stopping.abort();
        return forum().deps.transact(...args);
      }) as typeof forum extends () => { deps: { transact: infer T } } ? T : never,
    };
    const id = await hideAll(author.id);
    await continueWaves(killed);
    assert.equal((await visibleOf(author)).length, 40);
    await undoDecision(operator(), id);
    await continueWaves(operator());
    assert.deepEqual(await snapshot(), before);
    await expectIndexed(forum().deps.db);
  });

  test('of another decision takes over what an undone one has not shown yet', async () => {
    const [author, reader] = [await forum().person(), await forum().person()];
    const { _id } = await forum().channel(reader);
    for (let i = 1; i <= 3; i++) await forum().comment(author, _id, `ganga ${i}`);
    const before = await snapshot();
    const first = await hideAll(author.id);
    await continueWaves(operator());
    await undoDecision(operator(), first);
    const second = await hideAll(author.id);
    await continueWaves(operator());
    assert.deepEqual(await visibleOf(author), []);
    await undoDecision(operator(), second);
    await continueWaves(operator());
    assert.deepEqual(await snapshot(), before);
  });

  test('hides the arrivals between two times, except some, and is granted back to one of them', async () => {
    const [eva, reader] = [await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(reader);
    wait(60_000);
    const from = new Date(forum().deps.now()).toISOString();
    const raid = await Promise.all(Array.from({ length: 5 }, (_, i) => forum().person(`Bot ${i}`)));
    const ana = await staff(forum(), 'moderator', 'Ana');
    for (const bot of raid) await forum().comment(bot, _id, `ganga de ${bot.name}`);
    const to = new Date(forum().deps.now()).toISOString();
    wait(60_000);
    const late = await forum().person('Tarde');
    const { token } = eva;
    const url = `${apiRoutes.arrivals}?${new URLSearchParams({ from, to })}`;
    const { data } = await forum().json<ArrivalList>('GET', url, { token });
    assert.deepEqual(data.map(({ name }) => name).sort(), raid.map(({ name }) => name).sort());
    assert.deepEqual(
      data.map(({ comments, channels }) => [comments, channels]),
      raid.map(() => [1, 0]),
    );
    assert.match(data[0]?.excerpt ?? '', /^ganga de Bot/);
    const [saved, first] = raid as [Person, Person];
    const wave = await decided(forum(), eva, {
      subject: { kind: 'arrivals', from, to, except: [saved.id] },
      action: 'hideAll',
      unknown: 'x',
    });
    assert.deepEqual(
      [wave.accounts, wave.author, wave.subject],
      [4, '', { kind: 'arrivals', from, to, except: [saved.id] }],
    );
    await finished(eva, wave);
    const shown = await forum().allComments(_id);
    assert.deepEqual(
      shown.map(({ autor }) => autor),
      [saved.name],
    );
    const again = await expectProblem(
      await forum().call('POST', apiRoutes.decisions, {
        token,
        body: {
          ...{ subject: wave.subject, action: 'hideAll', category: 'spam', reason: 'Otra vez.' },
        },
      }),
      409,
      'already_decided',
    );
    assert.deepEqual((again.decision as Decision | undefined)?.id, wave.id);
    for (const person of [saved, late, ana]) await forum().comment(person, _id, 'hola');
    const left = await forum().json<ArrivalList>('GET', url, { token });
    assert.deepEqual(
      left.data.map(({ id }) => id),
      [saved.id],
    );

    const appeal = await openCase(forum(), user(first), first.id, wave.id);
    const answer = { subject: user(first), version: `${appeal}.0`, action: 'release' };
    await finished(ana, await decided(forum(), ana, answer));
    await finished(ana, wave);
    assert.deepEqual((await visibleOf(first)).length, 1);
    await undone(forum(), eva, wave);
    await finished(eva, wave);
    for (const bot of raid) assert.equal((await visibleOf(bot)).length, bot === saved ? 2 : 1);
  });

  test('over arrivals that another one hides already is answered with that one', async () => {
    const [eva, ana] = [await staff(forum()), await staff(forum())];
    wait(60_000);
    const time = () => new Date(forum().deps.now()).toISOString();
    const from = time();
    for (let i = 0; i < 3; i++) await forum().person('Bot');
    const to = time();
    wait(60_000);
    const subject = { kind: 'arrivals' as const, from, to, except: [] };
    const longer = { ...subject, to: time() };
    wait(1000);
    const wave = await decided(forum(), eva, { subject, action: 'hideAll' });
    const again = () => decide(forum(), ana, { subject: longer, action: 'hideAll' });
    assert.equal(
      (await expectProblem(await again(), 409, 'already_decided')).decision?.id,
      wave.id,
    );
    await finished(eva, wave);
    await undone(forum(), eva, wave);
    assert.equal((await again()).status, 201);
  });

  test('covers at most a thousand accounts, and leaves the others able to write', async () => {
    const [eva, reader] = [await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(reader);
    const { db } = forum().deps;
    wait(3_600_000);
    const created_at_ms = forum().deps.now();
    const ids = Array.from({ length: 1001 }, () => uuidv7());
    const empty = { name: 'Bot', name_key: 'bot', password_hash: '', img: null };
    for (let at = 0; at < ids.length; at += 100) {
      const some = ids.slice(at, at + 100);
      await db
        .insertInto('accounts')
        .values(some.map((id) => ({ ...empty, id, email: id, email_key: id, created_at_ms })))
        .execute();
      await db
        .insertInto('comments')
        .values(
          some.map((account_id, i) => ({
            ...{ channel_id: _id, number: at + i + 1, account_id, text: 'ganga', created_at_ms },
            ...{ edited_at_ms: null, reply_to: null, reply_excerpt: null },
            ...{ deleted_at_ms: null, hidden_at_ms: null, hidden_by: null },
          })) as never,
        )
        .execute();
    }
    const counts = { comment_count: 1001, last_comment_number: 1001 };
    await db.updateTable('channels').set(counts).where('id', '=', _id).execute();
    wait(1000);
    const time = new Date(created_at_ms).toISOString();
    const subject = { kind: 'arrivals' as const, from: time, to: time, except: [] };
    const refused = await decide(forum(), eva, { subject, action: 'hideAll' });
    await expectProblem(refused, 400, 'invalid_fields');
    await db
      .updateTable('accounts')
      .set({ created_at_ms: 0 })
      .where('id', '=', ids[0] ?? '')
      .execute();
    const wave = await decided(forum(), eva, { subject, action: 'hideAll' });
    assert.equal(wave.accounts, 1000);
    const added = await forum().comment(reader, _id, 'hola');
    await finished(eva, wave);
    const shown = await forum().allComments(_id);
    assert.deepEqual(
      shown.map(({ number }) => number),
      [1, added.number],
    );
    const again = await decide(forum(), eva, { subject, action: 'hideAll' });
    assert.equal((await expectProblem(again, 409, 'already_decided')).decision?.id, wave.id);
    await undone(forum(), eva, wave);
    await finished(eva, wave);
    assert.equal((await forum().allComments(_id)).length, 1002);
  });

  test('and an erasure of the same account finish, whichever begins first', async () => {
    const { db } = forum().deps;
    const reader = await forum().person();
    const { _id } = await forum().channel(reader);
    const make = async () => {
      const author = await forum().person();
      for (let i = 1; i <= 25; i++) await forum().comment(author, _id, `ganga ${i}`);
      return author;
    };
    const due = (content: string, { id }: Person) =>
      db
        .updateTable('accounts')
        .set({ deletion_at_ms: 1, deletion_content: content })
        .where('id', '=', id)
        .execute();
    for (const content of ['erase', 'anonymous']) {
      const author = await make();
      await hideAll(author.id);
      await due(content, author);
      await Promise.all([eraseDueAccounts(forum().deps), continueWaves(operator())]);
      await continueWaves(operator());
      assert.deepEqual(await visibleOf(author), [], content);
      await assert.rejects(hideAll(author.id), { code: 'user_not_found' });
    }
    const working = await db
      .selectFrom('decision_accounts')
      .select('work')
      .where('work', 'is not', null)
      .execute();
    assert.deepEqual(working, []);
  });
});
