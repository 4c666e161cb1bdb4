import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { limits } from '../../../shared/limits.ts';
import { withQuery } from '../../../shared/routes.ts';
import type { Trash } from '../../../shared/trash.ts';
import { toStoredText } from '../../database/stored-text.ts';

const perPage = limits.commentsPerTrashPage;

onBothEngines('the pages of the trash', (forum) => {
  const readPage = ({ token }: Person, after?: string | null) =>
    forum().json<Trash>('GET', withQuery(apiRoutes.trash, { after }), { token });
  const restore = ({ token }: Person, { _id }: Channel, number: number) =>
    forum().json('POST', apiRoutes.restoreComment(_id, number), { token });

  let deletions = 0;

  /** Adds comments to the channel that were deleted one second apart. */
  async function addDeleted(author: Person, { _id }: Channel, count: number): Promise<void> {
    const { db, now } = forum().services;
    const dayAgoMs = now() - 86_400_000;
    const channel = db.selectFrom('channels').where('id', '=', _id);
    const { number } = await channel
      .select('last_comment_number as number')
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, index) => ({
      channel_id: _id,
      number: number + index + 1,
      account_id: author.id,
      text: toStoredText(`comentario ${index}`),
      created_at_ms: dayAgoMs,
      deleted_at_ms: dayAgoMs + 1000 * deletions++,
    }));
    await db.insertInto('comments').values(rows).execute();
    const counts = { last_comment_number: number + count };
    await db.updateTable('channels').set(counts).where('id', '=', _id).execute();
  }

  /** Sets the same deletion time for the author's deleted comments above number 3. */
  async function shareOneMillisecond(author: Person): Promise<void> {
    const atMs = forum().services.now() - 1000;
    await forum()
      .services.db.updateTable('comments')
      .set({ deleted_at_ms: atMs })
      .where('account_id', '=', author.id)
      .where('number', '>', 3)
      .where('deleted_at_ms', 'is not', null)
      .execute();
  }

  async function readAll(author: Person) {
    const pages: Trash[] = [];
    let after: string | null | undefined;
    do {
      const page: Trash = await readPage(author, after);
      pages.push(page);
      after = page.next;
    } while (after && pages.length < 20);
    return pages;
  }
  const idsOf = (pages: Trash[]) =>
    pages.flatMap(({ data }) => data.map(({ comment }) => comment.id));

  test('contain each comment once, latest deletion first, also where many share a millisecond', async () => {
    const author = await forum().person();
    const [one, other] = [await forum().channel(author), await forum().channel(author)];
    await addDeleted(author, one, 27);
    await addDeleted(author, other, 27);
    await shareOneMillisecond(author);
    const pages = await readAll(author);
    assert.deepEqual(
      pages.map(({ data }) => data.length),
      [perPage, perPage, 54 - 2 * perPage],
    );
    assert.equal(new Set(idsOf(pages)).size, 54);
    const times = pages.flatMap(({ data }) => data.map(({ deletedAt }) => deletedAt));
    assert.deepEqual(times, times.toSorted().reverse());
  });

  test('continue at the same comment when others are restored and deleted meanwhile', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    await addDeleted(author, channel, 2 * perPage);
    const first = await readPage(author);
    const last = first.data.at(-1)?.comment.number ?? 0;
    await restore(author, channel, last);
    await restore(author, channel, last + 1);
    await addDeleted(author, channel, 2);
    const second = await readPage(author, first.next);
    assert.equal(new Set(idsOf([first, second])).size, 2 * perPage);
    assert.equal(second.next, null);
  });

  test('list the deleted channels on the first page only', async () => {
    const author = await forum().person();
    const { token } = author;
    const [channel, deleted] = [await forum().channel(author), await forum().channel(author)];
    await addDeleted(author, channel, perPage + 1);
    await forum().json('DELETE', apiRoutes.channel(deleted._id), { token });
    const [first, second] = await readAll(author);
    assert.deepEqual(
      first?.channels.map(({ channelId }) => channelId),
      [deleted._id],
    );
    assert.deepEqual(second?.channels, []);
  });

  test('leave out comments in hidden channels and list comments deleted before them', async () => {
    const author = await forum().person();
    const [shown, hidden] = [await forum().channel(author), await forum().channel(author)];
    await addDeleted(author, shown, 3);
    await addDeleted(author, hidden, 120);
    await operate(forum(), 'hide', hidden._id);
    const pages = await readAll(author);
    assert.deepEqual(
      pages.map(({ data }) => data.length),
      [0, 3],
    );
  });

  test('reject a malformed cursor', async () => {
    const { token } = await forum().person();
    for (const after of ['', 'x', `deleted_1_${'0-'.repeat(18)}-1`, `1_${crypto.randomUUID()}-1`]) {
      const url = `${apiRoutes.trash}?after=${after}`;
      await expectProblem(await forum().call('GET', url, { token }), 400, 'invalid_cursor');
    }
  });
});
