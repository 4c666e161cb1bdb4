import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { hideContent } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { limits } from '../../../shared/limits.ts';
import { withQuery } from '../../../shared/routes.ts';
import type { Trash } from '../../../shared/trash.ts';

const perPage = limits.commentsPerTrashPage;

onEngine('sqlite', 'the trash', (forum) => {
  const readTrash = ({ token }: Person, after?: string | null) =>
    forum().json<Trash>('GET', withQuery(apiRoutes.trash, { after }), { token });
  let deletions = 0;

  /** Adds comments to the channel, two of which were deleted in each millisecond. */
  const addDeleted = ({ id }: Person, { _id }: Channel, count: number) => {
    const dayAgoMs = forum().services.now() - 86_400_000;
    return insertComments(forum(), _id, id, count, () => ({
      deleted_at_ms: dayAgoMs + Math.floor(deletions++ / 2),
    }));
  };

  async function readAll(author: Person) {
    const pages = [await readTrash(author)];
    for (let next = pages[0]?.next; next && pages.length < 20; next = pages.at(-1)?.next)
      pages.push(await readTrash(author, next));
    return pages;
  }
  const idsOf = (pages: Trash[]) =>
    pages.flatMap(({ data }) => data.map(({ comment }) => comment.id));

  test('has pages that contain each comment once, most recently deleted first, and the deleted channels first', async () => {
    const author = await forum().person();
    const [one, other] = [await forum().channel(author), await forum().channel(author)];
    const deleted = await forum().channel(author);
    await forum().json('DELETE', apiRoutes.channel(deleted._id), author);
    for (const count of [13, 14])
      for (const channel of [one, other]) await addDeleted(author, channel, count);
    const pages = await readAll(author);
    assert.deepEqual(
      pages.map(({ data, channels }) => [data.length, channels.map(({ channelId }) => channelId)]),
      [
        [perPage, [deleted._id]],
        [perPage, []],
        [54 - 2 * perPage, []],
      ],
    );
    assert.equal(new Set(idsOf(pages)).size, 54);
    const times = pages.flatMap(({ data }) => data.map(({ deletedAt }) => deletedAt));
    assert.deepEqual(times, times.toSorted().reverse());
  });

  test('has pages that continue at the same comment when others are restored and deleted in between', async () => {
    const author = await forum().person();
    const channel = await forum().channel(author);
    await addDeleted(author, channel, 2 * perPage);
    const first = await readTrash(author);
    const last = first.data.at(-1)?.comment.number ?? 0;
    for (const number of [last, last + 1])
      await forum().json('POST', apiRoutes.restoreComment(channel._id, number), author);
    await addDeleted(author, channel, 2);
    const second = await readTrash(author, first.next);
    assert.equal(new Set(idsOf([first, second])).size, 2 * perPage);
    assert.equal(second.next, null);
  });

  test('leaves out comments in hidden channels and lists comments deleted before them', async () => {
    const author = await forum().person();
    const [shown, hidden] = [await forum().channel(author), await forum().channel(author)];
    await addDeleted(author, shown, 3);
    await addDeleted(author, hidden, 120);
    await hideContent(forum(), hidden._id);
    assert.deepEqual(
      (await readAll(author)).map(({ data }) => data.length),
      [0, 3],
    );
  });
});
