import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../../test/forum/both-engines.ts';
import { expectProblem, type Forum, type Person } from '../../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../../test/forum/live-reader.ts';
import { operate } from '../../../../../test/forum/operator.ts';
import type { Profile } from '../../../../shared/accounts.ts';
import { apiRoutes } from '../../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../../shared/channels.ts';
import type { Comment, CommentPage } from '../../../../shared/comments.ts';
import { pageRoutes } from '../../../../shared/routes.ts';

const commentsOf = async (forum: Forum, { _id }: Channel) =>
  (await forum.allComments(_id)).map(({ comment }) => comment);
const readChannel = (forum: Forum, { _id }: Channel, query = '') =>
  forum.json<Channel>('GET', apiRoutes.channel(_id) + query);
const listed = async (forum: Forum, { _id }: Channel) =>
  (await forum.json<ChannelPage>('GET', apiRoutes.channels)).data.find((one) => one._id === _id);
const pageText = async (forum: Forum, url: string) => (await forum.call('GET', url)).text();

/** Creates a channel with four comments whose texts occur nowhere else on its pages. */
async function filled(forum: Forum): Promise<[Person, Channel, Comment[]]> {
  const author = await forum.person();
  const channel = await forum.channel(author, `Canal ${crypto.randomUUID()}`);
  const comments: Comment[] = [];
  for (const text of ['uno-q', 'dos-q', 'tres-q', 'cuatro-q']) {
    comments.push(await forum.comment(author, channel._id, text));
  }
  return [author, channel, comments];
}

/** @throws when there are fewer comments */
const at = (comments: Comment[], index: number) => comments[index] ?? assert.fail();

onBothEngines('moderation', (forum) => {
  const storedIn = ({ _id }: Channel) =>
    forum()
      .services.db.selectFrom('comments')
      .select('number')
      .where('channel_id', '=', _id)
      .execute();

  test('a hidden comment disappears from pages, lists and the API, and returns to its position when it is shown', async () => {
    const [author, channel, comments] = await filled(forum());
    const second = at(comments, 1);
    const page = pageRoutes.channel(channel._id);
    // These reads fill the cache.
    assert.match(await pageText(forum(), page), /dos-q/);
    assert.equal((await listed(forum(), channel))?.commentCount, 4);
    assert.equal((await readChannel(forum(), channel)).comments.length, 4);

    await operate(forum(), 'hide', second.id);
    assert.doesNotMatch(await pageText(forum(), page), /dos-q/);
    assert.deepEqual(await commentsOf(forum(), channel), ['uno-q', 'tres-q', 'cuatro-q']);
    const inList = await listed(forum(), channel);
    assert.deepEqual([inList?.commentCount, inList?.comments.length], [3, 3]);
    const two = await readChannel(forum(), channel, '?comments=2');
    assert.deepEqual([two.commentCount, two.removedCount], [3, 1]);
    assert.deepEqual(
      two.comments.map(({ comment }) => comment),
      ['uno-q', 'tres-q'],
    );
    const url = `${apiRoutes.channelComments(channel._id)}?limit=1&after=${at(comments, 0).id}`;
    const next = await forum().json<CommentPage>('GET', url);
    assert.deepEqual([next.data[0]?.comment, next.next], ['tres-q', at(comments, 2).id]);
    assert.match(await operate(forum(), 'comments', channel._id), /hidden +dos-q/);

    await forum().comment(author, channel._id, 'cinco-q');
    assert.equal((await readChannel(forum(), channel)).commentCount, 4);
    await operate(forum(), 'show', second.id);
    const all = ['uno-q', 'dos-q', 'tres-q', 'cuatro-q', 'cinco-q'];
    assert.deepEqual(await commentsOf(forum(), channel), all);
    assert.equal((await listed(forum(), channel))?.commentCount, 5);
    await assert.rejects(operate(forum(), 'show', second.id), { code: 'already_decided' });
  });

  test('the earlier texts of an edited comment are printed whole, even if it is hidden', async () => {
    const [author, channel, comments] = await filled(forum());
    const { id } = at(comments, 0);
    const long = `${'ñ'.repeat(200)}\n\u202efin`;
    for (const [revision, comment] of [long, 'tercera'].entries()) {
      await forum().json('PATCH', apiRoutes.channelComment(channel._id, 1), {
        token: author.token,
        headers: { 'if-match': `"${revision + 1}"` },
        body: { comment },
      });
    }
    const printed =
      /^Revision 1, until [-\d]+ [:\d]+ \(UTC\):\n {2}uno-q\nRevision 2, .*\n {2}ñ{200}\n {2} fin\nRevision 3, the present one:\n {2}tercera$/;
    assert.match(await operate(forum(), 'versions', id), printed);
    await operate(forum(), 'hide', id);
    assert.match(await operate(forum(), 'versions', id), printed);
    const unedited = await operate(forum(), 'versions', at(comments, 1).id);
    assert.equal(unedited, 'Revision 1, the present one:\n  dos-q');
    await assert.rejects(operate(forum(), 'versions', channel._id), /not the id of a comment/);
    const unknown = operate(forum(), 'versions', `${channel._id}-99`);
    await assert.rejects(unknown, { code: 'comment_not_found' });
  });

  test('live readers get each visible comment once, while others are hidden or erased', async () => {
    const [author, channel, comments] = await filled(forum());
    const open = await LiveReader.open(forum(), channel._id);
    for (const one of [at(comments, 1), at(comments, 3)]) await operate(forum(), 'hide', one.id);
    const back = await LiveReader.open(forum(), channel._id, 1);
    assert.equal((await back.nextComment()).comment, 'tres-q');
    for (const text of ['cinco-q', 'seis-q']) {
      await forum().comment(author, channel._id, text);
      for (const reader of [open, back]) assert.equal((await reader.nextComment()).comment, text);
    }
    // The newest comment is erased before the next one is announced.
    const newest = (await forum().allComments(channel._id)).at(-1) ?? assert.fail();
    await operate(forum(), 'erase', newest.id);
    const last = await forum().comment(author, channel._id, 'siete-q');
    assert.equal(last.id, `${channel._id}-7`, 'no number is used twice');
    for (const reader of [open, back]) {
      assert.deepEqual(await reader.nextComment(), last);
      reader.close();
    }
  });

  test('an erased comment cannot be restored, whether it was hidden or not', async () => {
    const [, channel, comments] = await filled(forum());
    await operate(forum(), 'hide', at(comments, 0).id);
    for (const { id } of comments.slice(0, 2)) {
      await operate(forum(), 'erase', id);
      for (const command of ['hide', 'erase']) {
        await assert.rejects(operate(forum(), command, id), { code: 'comment_not_found' });
      }
    }
    assert.deepEqual(await commentsOf(forum(), channel), ['tres-q', 'cuatro-q']);
    assert.equal((await readChannel(forum(), channel)).commentCount, 2);
    assert.equal((await storedIn(channel)).length, 2);
  });

  test('a hidden channel is found nowhere, and returns unchanged when it is shown', async () => {
    const [author, channel, comments] = await filled(forum());
    const page = pageRoutes.channel(channel._id);
    const reads = [
      apiRoutes.channel(channel._id),
      apiRoutes.channelComments(channel._id),
      apiRoutes.channelLive(channel._id),
    ];
    const profile = () => forum().json<Profile>('GET', apiRoutes.me, { token: author.token });
    assert.match(await pageText(forum(), page), /uno-q/);
    assert.ok(await listed(forum(), channel));

    await operate(forum(), 'hide', channel._id);
    for (const url of reads) {
      await expectProblem(await forum().call('GET', url), 404, 'channel_not_found');
    }
    assert.equal((await forum().call('GET', page)).status, 404);
    assert.equal(await listed(forum(), channel), undefined);
    assert.ok(!(await pageText(forum(), pageRoutes.home)).includes(channel.name));
    const { token } = author;
    const body = { id: channel._id, comment: 'no llega' };
    const rejected = await forum().call('PUT', apiRoutes.comment, { token, body });
    await expectProblem(rejected, 404, 'channel_not_found');
    assert.equal((await profile()).channelCount, 0);
    assert.match(await operate(forum(), 'channels', channel.name), /hidden$/m);
    await assert.rejects(operate(forum(), 'hide', channel._id), { code: 'already_decided' });

    await operate(forum(), 'show', channel._id);
    assert.deepEqual(await forum().allComments(channel._id), comments);
    assert.equal((await listed(forum(), channel))?.commentCount, 4);
    assert.match(await pageText(forum(), page), /uno-q/);
  });

  test('erasing a channel erases its comments, while others are being written', async () => {
    const [author, channel, comments] = await filled(forum());
    const [, other] = await filled(forum());
    await operate(forum(), 'hide', at(comments, 2).id);
    const writing = Array.from({ length: 20 }, (_, i) =>
      forum().call('PUT', apiRoutes.comment, {
        token: author.token,
        body: { id: channel._id, comment: `comentario ${i}` },
      }),
    );
    await operate(forum(), 'erase', channel._id);
    for (const response of writing) assert.ok([200, 404].includes((await response).status));
    assert.deepEqual(await storedIn(channel), []);
    assert.equal((await forum().call('GET', pageRoutes.channel(channel._id))).status, 404);
    assert.equal(await listed(forum(), channel), undefined);
    assert.equal((await commentsOf(forum(), other)).length, 4);
    for (const command of ['hide', 'erase']) {
      const refused = operate(forum(), command, channel._id);
      await assert.rejects(refused, { code: 'channel_not_found' });
    }
    const audit = await operate(forum(), 'audit');
    assert.match(audit, new RegExp(`ada +erase-channel +${channel._id} +porque sí`));
  });

  test('the comment count stays right while comments are written and hidden', async () => {
    const [author, channel, comments] = await filled(forum());
    const writing = Array.from({ length: 30 }, (_, i) =>
      forum().comment(author, channel._id, `comentario ${i}`),
    );
    for (const { id } of comments) await operate(forum(), 'hide', id);
    await operate(forum(), 'show', at(comments, 0).id);
    await Promise.all(writing);
    assert.equal((await readChannel(forum(), channel)).commentCount, 31);
    assert.equal((await forum().allComments(channel._id)).length, 31);
  });

  test('an invalid or unknown id is rejected and leaves no entry in the audit log', async () => {
    const [, channel] = await filled(forum());
    const before = await operate(forum(), 'audit');
    const numbers = ['', '0', '01', '2147483648', '999999999999999'];
    for (const id of ['', 'x', ...numbers.map((number) => `${channel._id}-${number}`)]) {
      await assert.rejects(operate(forum(), 'hide', id), /not the id/);
    }
    const comment = operate(forum(), 'hide', `${channel._id}-99`);
    await assert.rejects(comment, { code: 'comment_not_found' });
    const unknown = operate(forum(), 'erase', crypto.randomUUID());
    await assert.rejects(unknown, { code: 'channel_not_found' });
    assert.equal(await operate(forum(), 'audit'), before);
  });
});
