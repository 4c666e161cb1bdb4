import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import type { Forum, Person } from '../../../test/forum/forum.ts';
import { expectIndexed, readIndex } from '../../../test/forum/index-contents.ts';
import { hideContent } from '../../../test/forum/moderators.ts';
import { operate } from '../../../test/forum/operator.ts';
import { isPostgres } from '../../../test/postgres/is-postgres.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import { toStoredText } from '../texts/stored-text.ts';
import { buildIndex } from './build-index.ts';
import { indexComment } from './index-comment.ts';
import { indexOf } from './index-of.ts';
import { isIndexComplete, prepareIndex } from './index-state.ts';
import { tokensOf } from './words.ts';

const never = new AbortController().signal;
const interruption = new Error('interrupted');
const perChannel = 60;
/** Long enough that a build takes several steps. */
const textOf = (number: number) =>
  `canción número ${number} ${'de una tarde de verano '.repeat(30)}`;

/** Deletes the index, as on a site from before the search existed, or after a restore. */
async function removeIndex({ services: { db } }: Forum): Promise<void> {
  for (const table of ['search_state', 'search_docs', 'search_channels'] as const) {
    await db.deleteFrom(table).execute();
  }
  await indexOf(db).emptyWords(db);
}

onBothEngines('building the search index', (forum, wait) => {
  let author: Person;
  let channels: Channel[];

  async function edit({ _id }: Channel, number: number, comment: string): Promise<void> {
    const { revision } = await forum()
      .services.db.selectFrom('comments')
      .select('revision')
      .where('channel_id', '=', _id)
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    await forum().json('PATCH', apiRoutes.channelComment(_id, number), {
      token: author.token,
      headers: { 'if-match': `"${revision}"` },
      body: { comment },
    });
  }

  test('orders comments that were written without the index by their time, below those in the index', async () => {
    const { db } = forum().services;
    author = await forum().person();
    const { _id } = await forum().channel(author, 'Archivo');
    const before = await forum().comment(author, _id, 'el anterior');
    const row = await db.selectFrom('comments').selectAll().executeTakeFirstOrThrow();
    const text = toStoredText('importado');
    const created_at_ms = row.created_at_ms - 1000;
    const copies = [101, 102, 103].map((number) => ({ ...row, number, text, created_at_ms }));
    await db.insertInto('comments').values(copies).execute();
    await operate(forum(), 'reindex');
    await buildIndex(forum().services, never);
    const after = await forum().comment(author, _id, 'el siguiente');
    const { comments } = await readIndex(forum());
    const imported = copies.map(({ number }) => commentId(_id, number));
    assert.deepEqual(
      comments.map(([id]) => id),
      [after.id, before.id, ...imported.toReversed()],
    );
    assert.deepEqual(comments[2]?.[1], tokensOf('importado'));
  });

  test('produces the same tokens and order as the writes, after edits, deletions and restorations', async () => {
    channels = [await forum().channel(author, 'Cine'), await forum().channel(author, 'Teatro')];
    const [cinema, theatre] = channels as [Channel, Channel];
    for (let number = 1; number <= perChannel; number++) {
      for (const { _id } of channels) {
        // Comments with the same millisecond would have no order by time.
        wait(1);
        await forum().comment(author, _id, textOf(number));
      }
    }
    const { token } = author;
    await edit(cinema, 3, 'otra cosa');
    for (const number of [4, 5]) {
      await forum().json('DELETE', apiRoutes.channelComment(cinema._id, number), { token });
    }
    await forum().json('POST', apiRoutes.restoreComment(cinema._id, 5), { token });
    await hideContent(forum(), commentId(theatre._id, 6));
    await operate(forum(), 'erase', commentId(theatre._id, 7));
    const hidden = await forum().channel(author, 'Circo');
    await hideContent(forum(), hidden._id);

    const written = await readIndex(forum());
    assert.equal(written.comments.length, 5 + 2 * perChannel - 1);
    assert.equal(await isIndexComplete(forum().services.db), true);
    await operate(forum(), 'reindex');
    assert.equal(await isIndexComplete(forum().services.db), false);
    await buildIndex(forum().services, never);
    assert.equal(await isIndexComplete(forum().services.db), true);
    assert.deepEqual(await readIndex(forum()), written);

    await removeIndex(forum());
    await prepareIndex(forum().services.db);
    assert.equal(await isIndexComplete(forum().services.db), false);
    await buildIndex(forum().services, never);
    assert.equal(await isIndexComplete(forum().services.db), true);
    assert.deepEqual(await readIndex(forum()), written);
  });

  test('continues where it was interrupted, at any step', async () => {
    const written = await readIndex(forum());
    for (const remove of [
      () => operate(forum(), 'reindex'),
      async () => {
        await removeIndex(forum());
        await prepareIndex(forum().services.db);
      },
    ]) {
      await remove();
      let builds = 0;
      for (let isDone = false; !isDone && builds < 20; builds++) {
        let steps = 0;
        const cut = async () => {
          if (++steps > builds + 1) throw interruption;
        };
        isDone = await buildIndex(forum().services, never, cut).then(
          () => true,
          (error) => {
            assert.equal(error, interruption);
            return false;
          },
        );
      }
      assert.ok(builds >= 3, `${builds} builds`);
      assert.deepEqual(await readIndex(forum()), written);
    }
  });

  test('starts from the beginning when a rebuild is requested during the build, and ends when its signal is aborted', async () => {
    const written = await readIndex(forum());
    await operate(forum(), 'reindex');
    const controller = new AbortController();
    const build = buildIndex(forum().services, controller.signal);
    controller.abort(interruption);
    await assert.rejects(build, interruption);
    let steps = 0;
    await buildIndex(forum().services, never, async () => {
      if (++steps === 3) await operate(forum(), 'reindex');
    });
    assert.equal(await isIndexComplete(forum().services.db), true);
    assert.deepEqual(await readIndex(forum()), written);
  });

  test('is correct when another process builds the index at the same time, at the first steps and later ones', async () => {
    const { db } = forum().services;
    const [cinema] = channels as [Channel];
    // A slow machine takes many more steps, which are alike.
    for (let at = 1, isDone = false; !isDone; at += Math.ceil(at / 2)) {
      await removeIndex(forum());
      await prepareIndex(db);
      let steps = 0;
      await buildIndex(forum().services, never, async () => {
        if (++steps !== at) return;
        await operate(forum(), 'erase', commentId(cinema._id, perChannel - at));
        await buildIndex(forum().services, never);
      });
      isDone = steps < at;
      assert.equal(await isIndexComplete(db), true);
      await expectIndexed(db);
    }
  });

  test('orders new comments above existing ones, and indexes changes made during the build', async () => {
    const [cinema, theatre] = channels as [Channel, Channel];
    const { token } = author;
    await removeIndex(forum());
    await prepareIndex(forum().services.db);
    const added = await forum().comment(author, cinema._id, 'recién llegado');
    let steps = 0;
    const change = async () => {
      steps += 1;
      if (steps === 1) await edit(cinema, 10, 'primera versión');
      if (steps === 3) {
        await edit(cinema, 10, 'segunda versión');
        await edit(theatre, perChannel - 1, 'nueva versión');
        await forum().json('DELETE', apiRoutes.channelComment(theatre._id, perChannel - 2), {
          token,
        });
        await forum().json('DELETE', apiRoutes.channelComment(cinema._id, 11), { token });
        await forum().json('POST', apiRoutes.restoreComment(cinema._id, 4), { token });
        await edit(cinema, 12, 'versión intermedia');
      }
      if (steps === 4) {
        await edit(cinema, 12, 'última versión');
        await forum().json('POST', apiRoutes.restoreComment(cinema._id, 11), { token });
      }
    };
    await buildIndex(forum().services, never, change);
    assert.ok(steps > 4, `${steps} steps`);
    const { comments } = await readIndex(forum());
    assert.equal(comments[0]?.[0], added.id);
    const tokens = new Map(comments as [string, string[] | undefined][]);
    const expected = {
      [commentId(cinema._id, 10)]: 'segunda versión',
      [commentId(theatre._id, perChannel - 1)]: 'nueva versión',
      [commentId(theatre._id, perChannel - 2)]: textOf(perChannel - 2),
      [commentId(cinema._id, 11)]: textOf(11),
      [commentId(cinema._id, 4)]: textOf(4),
      [commentId(cinema._id, 12)]: 'última versión',
    };
    for (const [id, text] of Object.entries(expected)) {
      assert.deepEqual(tokens.get(id), tokensOf(text).sort(), text);
    }
    await operate(forum(), 'reindex');
    await buildIndex(forum().services, never);
    assert.deepEqual((await readIndex(forum())).comments, comments);
  });

  test('waits for a change that is not committed', async () => {
    const { db, withTransaction } = forum().services;
    // SQLite runs one writing transaction at a time, so there is no uncommitted concurrent change.
    if (!isPostgres(db)) return;
    const [, theatre] = channels as [Channel, Channel];
    const key = { channelId: theatre._id, number: 40 };
    await removeIndex(forum());
    await prepareIndex(db);
    const [started, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const change = withTransaction(`channel ${theatre._id}`, async (trx) => {
      await trx
        .updateTable('comments')
        .set({ text: toStoredText('pendiente') })
        .where('channel_id', '=', key.channelId)
        .where('number', '=', key.number)
        .execute();
      const pending = { text: toStoredText('pendiente'), authorId: author.id };
      await indexComment(trx, key, pending);
      started.resolve();
      await commit.promise;
    });
    await started.promise;
    let steps = 0;
    await buildIndex(forum().services, never, async () => {
      // All other comments are indexed by this step.
      if (++steps !== 12) return;
      commit.resolve();
      await change;
    });
    const { comments } = await readIndex(forum());
    const id = commentId(theatre._id, key.number);
    assert.deepEqual(comments.find(([each]) => each === id)?.[1], tokensOf('pendiente'));
  });
});
