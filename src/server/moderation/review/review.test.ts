import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { LiveFollower } from '../../../../test/forum/live-follower.ts';
import { decide, decided, undo, undone, user } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { ReviewedForum } from '../../../../test/forum/reviewed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { ProblemCode } from '../../../shared/errors.ts';
import type { Log, OwnDecisions, Queue, Subject } from '../../../shared/moderation.ts';
import type { PendingList, PendingPost } from '../../../shared/pending.ts';
import type { News } from '../../../shared/people.ts';
import { readAudit } from '../../database/audit-log.ts';
import { withoutSignature } from '../../http/field-parser.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';

const dayMs = 86_400_000;

onEngine('sqlite', 'reviews of posts and accounts', (forum, wait) => {
  let reviewed: ReviewedForum;
  before(async () => {
    reviewed = await ReviewedForum.start(forum());
  });
  const list = async ({ token }: Person) =>
    (await forum().json<PendingList>('GET', apiRoutes.pendingPosts, { token })).data;
  const subjectOf = ({ kind, id }: PendingPost): Subject => ({ kind, id });
  const expectState = async (
    person: Person,
    pendingPost: PendingPost,
    state: PendingPost['state'],
  ) => assert.equal((await list(person)).find(({ id }) => id === pendingPost.id)?.state, state);

  test('an approved comment is published like a new one, with the number and the time of its approval', async () => {
    const eva = await forum().person('Eva');
    const { _id } = reviewed.channel;
    const readChannel = () => forum().json<Channel>('GET', apiRoutes.channel(_id));
    const key = randomUUID();
    const pendingPost = await reviewed.post(eva, 'Hola, llego hoy', { replyTo: 1 }, key);
    const former = await readChannel();
    const number = former.commentCount + former.removedCount + 1;
    using follower = await LiveFollower.start(forum(), _id);
    wait(60_000);
    const decision = await reviewed.approved(pendingPost);
    assert.deepEqual(
      [decision.action, decision.subject, decision.reason, decision.accounts],
      ['approve', { kind: 'comment', id: commentId(_id, number) }, '', 1],
    );
    const [comment] = await forum().allComments(_id, commentId(_id, number - 1));
    assert.ok(comment);
    assert.deepEqual(
      [comment.comment, comment.autor, comment.number, comment.replyAutor, comment.revision],
      ['Hola, llego hoy', 'Eva', number, 'Ana', 1],
    );
    assert.ok(comment.createdAt > pendingPost.createdAt);
    await eventually('it arrives live', async () => follower.seen.includes(comment.id));
    assert.equal((await readChannel()).commentCount, former.commentCount + 1);
    assert.equal((await forum().allComments(_id))[0]?.replyCount, 1);
    const found = await forum().json<{ data: unknown[] }>('GET', `${apiRoutes.search}?q=llego`);
    assert.equal(found.data.length, 1);
    assert.deepEqual(await list(eva), []);
    // The outbox repeats the request.
    const again = await reviewed.put(eva, 'Hola, llego hoy', { replyTo: 1 }, key);
    assert.deepEqual([again.status, await again.json()], [200, comment]);
    const [audit] = await readAudit(forum().services.db, 1);
    assert.deepEqual(
      [audit?.actor, audit?.action, audit?.subject],
      [reviewed.moderator.id, 'approve-comment', commentId(_id, number)],
    );
  });

  test('the author of an approved comment gives thanks and writes without review from then on', async () => {
    const eva = await forum().person();
    const thank = () => forum().call('PUT', apiRoutes.thanks(reviewed.channel._id, 2), eva);
    await expectProblem(await thank(), 403, 'not_approved');
    await reviewed.approved(await reviewed.post(eva));
    assert.equal((await thank()).status, 200);
    assert.equal((await reviewed.put(eva, 'Ya no espero')).status, 200);
  });

  test('an approval with the version of another post is refused', async () => {
    const eva = await forum().person();
    const [seen, other] = [await reviewed.post(eva), await reviewed.post(eva, 'Otra cosa')];
    const approval = await reviewed.approve(seen, undefined, { version: other.id });
    await expectProblem(approval, 409, 'already_decided');
    await expectState(eva, seen, 'pending');
  });

  test('the approval of a comment is not undone', async () => {
    const { id } = await reviewed.approved(await reviewed.post(await forum().person()));
    const undoing = await undo(forum(), reviewed.moderator, id);
    const { detail } = await expectProblem(undoing, 409, 'already_decided');
    assert.equal(detail, 'Ya se publicó: ocúltalo, si hace falta.');
  });

  test('a rejection of a post needs a reason, is shown to its author, and is final', async () => {
    const eva = await forum().person();
    const pendingPost = await reviewed.post(eva, 'Compra aquí');
    const draft = { subject: subjectOf(pendingPost), action: 'reject' };
    await expectProblem(
      await decide(forum(), reviewed.moderator, { ...draft, reason: '' }),
      400,
      'invalid_fields',
    );
    const decision = await reviewed.reject(pendingPost);
    assert.deepEqual(await list(eva), [
      { ...pendingPost, state: 'rejected', reason: 'Es publicidad.' },
    ]);
    const { token } = eva;
    const own = await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, { token });
    assert.deepEqual([own.data[0]?.action, own.data[0]?.reason], ['reject', 'Es publicidad.']);
    const log = await forum().json<Log>('GET', apiRoutes.log);
    assert.equal(log.data[0]?.action, 'reject');
    assert.ok(log.data.every(({ action }) => action !== 'approve'));
    const again = await expectProblem(await reviewed.approve(pendingPost), 409, 'already_decided');
    assert.equal(again.decision?.id, decision.id);
    // A rejected post does not approve its author.
    await reviewed.post(eva, 'Otra vez');
    await expectProblem(
      await undo(forum(), reviewed.moderator, decision.id),
      409,
      'already_decided',
    );
    await expectState(eva, pendingPost, 'rejected');
  });

  test('a post is not published while its author cannot write', async () => {
    const eva = await forum().person();
    const pendingPost = await reviewed.post(eva);
    const silence = await decided(forum(), reviewed.moderator, {
      subject: user(eva),
      action: 'silence',
      days: 1,
    });
    const { detail } = await expectProblem(
      await reviewed.approve(pendingPost),
      409,
      'already_decided',
    );
    assert.match(detail, /no puede escribir/);
    await expectState(eva, pendingPost, 'pending');
    await undone(forum(), reviewed.moderator, silence);
    await reviewed.approved(pendingPost);
  });

  test('a post stays pending while its channel is closed, deleted or hidden', async () => {
    const [eva, ana] = [await forum().person(), await forum().person()];
    const { _id: id } = await reviewed.unreviewed(() => forum().channel(ana));
    const pendingPost = await reviewed.post(eva, 'Hola', { id });
    const { token } = ana;
    await forum().json('POST', apiRoutes.closeChannel(id), { token });
    await expectProblem(await reviewed.approve(pendingPost), 409, 'channel_closed');
    await forum().json('POST', apiRoutes.reopenChannel(id), { token });
    await forum().json('DELETE', apiRoutes.channel(id), { token });
    await expectProblem(await reviewed.approve(pendingPost), 404, 'channel_not_found');
    await forum().json('POST', apiRoutes.restoreChannel(id), { token });
    const subject = { kind: 'channel', id } as const;
    const hidden = await decided(forum(), reviewed.moderator, { subject, action: 'hide' });
    await expectProblem(await reviewed.approve(pendingPost), 404, 'channel_not_found');
    await undone(forum(), reviewed.moderator, hidden);
    await expectState(eva, pendingPost, 'pending');
    const gone = await reviewed.post(eva, 'Y más', { id });
    await reviewed.approved(pendingPost);
    await operate(forum(), 'erase', id);
    await expectProblem(await reviewed.approve(gone), 404, 'channel_not_found');
    const item = (await reviewed.pending()).data.find(({ subject }) => subject.id === gone.id);
    assert.deepEqual(item?.context, { channel: null, before: [], after: [] });
    await reviewed.reject(gone);
  });

  test('a post is published, also if what it replies to or whom it mentions is gone, and not once its author is erased', async () => {
    const [eva, ida] = [await forum().person(), await forum().person()];
    const ana = await forum().person('Ana');
    const { _id: id } = await reviewed.unreviewed(() => forum().channel(ana));
    for (const text of ['Uno', 'Dos']) await forum().comment(ana, id, text);
    const mentions = [{ start: 0, length: 4, accountId: ana.id }];
    const deleted = await reviewed.post(eva, 'Sí', { id, replyTo: 1 });
    const edited = await reviewed.post(eva, 'No', { id, replyTo: 2 });
    const mentioning = await reviewed.post(eva, '@Ana, hola', { id, mentions });
    const ofErased = await reviewed.post(ida, 'Me voy');
    await askForDeletion(forum(), ida, 'erase');
    await askForDeletion(forum(), ana, 'anonymous');
    const { token } = ana;
    await forum().json('DELETE', apiRoutes.channelComment(id, 1), { token });
    await forum().edit(ana, id, 2, 'Tres');
    wait(15 * dayMs);
    await eraseDueAccounts(forum().services);
    await expectProblem(await reviewed.approve(ofErased), 404, 'pending_not_found');
    for (const pendingPost of [deleted, edited, mentioning]) await reviewed.approved(pendingPost);
    const published = (await forum().allComments(id)).slice(-3);
    assert.deepEqual(
      published.map(({ comment, replyTo, replyExcerpt, mentions }) => [
        ...[comment, replyTo, replyExcerpt, mentions.length],
      ]),
      [
        ['Sí', 1, '', 0],
        ['No', 2, 'Tres', 0],
        ['@cuenta eliminada, hola', null, '', 0],
      ],
    );
  });

  test('only pending posts and accounts are reviewed', async () => {
    const pendingPost = await reviewed.post(await forum().person());
    const refused = async (subject: Subject, code: ProblemCode) =>
      expectProblem(await reviewed.approve(pendingPost, undefined, { subject }), 404, code);
    const published = commentId(reviewed.channel._id, 1);
    for (const id of [published, 'x', randomUUID()])
      await refused({ kind: 'comment', id }, 'pending_not_found');
    await refused({ kind: 'channel', id: pendingPost.id }, 'pending_not_found');
    for (const id of ['x', randomUUID()]) await refused({ kind: 'user', id }, 'user_not_found');
    await reviewed.approved(pendingPost);
  });

  test('an account that was let in is not refused afterwards, and its first post does not wait', async () => {
    const rut = await forum().person('Rut');
    const { db, now } = forum().services;
    await db
      .updateTable('accounts')
      .set({ admission: 'pending', disabled_at_ms: now() })
      .where('id', '=', rut.id)
      .execute();
    const draft = { subject: user(rut), action: 'approve', reason: '' };
    const { id } = await decided(forum(), reviewed.moderator, draft);
    const { detail } = await expectProblem(
      await undo(forum(), reviewed.moderator, id),
      409,
      'already_decided',
    );
    assert.equal(detail, 'La cuenta ya está aprobada: suspéndela, si hace falta.');
    const { token } = await forum().newSession(rut);
    assert.equal((await reviewed.put({ ...rut, token }, 'Ya estoy')).status, 200);
  });

  test('posts and accounts that wait are in the queue, oldest first', async () => {
    const { db } = forum().services;
    for (const table of ['cases', 'pending_post_images', 'pending_posts'] as const)
      await db.deleteFrom(table).execute();
    const eva = await forum().person('Eva');
    const image = await quarters(49, 16).png().toBuffer();
    const upload = await forum().upload(eva, image, { use: 'comment' });
    const { downloadURL } = (await upload.json()) as { downloadURL: string };
    const url = withoutSignature(downloadURL);
    const first = await reviewed.post(eva, 'Hola a @Ana', {
      images: [{ url, alt: 'Cuatro' }],
      mentions: [{ start: 7, length: 4, accountId: reviewed.host.id }],
    });
    const asking = await forum().person('Rut');
    await db
      .updateTable('accounts')
      .set({ admission: 'pending', about: 'La vecina', disabled_at_ms: forum().services.now() })
      .where('id', '=', asking.id)
      .execute();
    const second = await reviewed.postChannel(eva);
    const { data, next, counts, isOpenToSpam } = await reviewed.pending();
    assert.deepEqual(
      data.map(({ subject, version, pendingReason, state, text, textNow }) => [
        ...[subject.id, version, pendingReason, state, text, textNow],
      ]),
      [
        [first.id, first.id, 'first_post', 'pending', 'Hola a @Ana', 'Hola a @Ana'],
        [asking.id, asking.id, 'sign_up', 'pending', 'La vecina', 'La vecina'],
        [second.id, second.id, 'first_post', 'pending', 'Bancal\n\nAcelgas', 'Bancal\n\nAcelgas'],
      ],
    );
    assert.deepEqual([next, counts, isOpenToSpam], [null, { open: 0, pending: 3 }, false]);
    const item = data[0];
    assert.equal(item?.context.channel?.name, reviewed.channel.name);
    assert.deepEqual(
      item?.context.before.map(({ comment }) => comment),
      (await forum().allComments(reviewed.channel._id)).slice(-2).map(({ comment }) => comment),
    );
    assert.equal(item?.author.id, eva.id);
    assert.equal(item?.refusal, null);
    assert.equal((await forum().call('GET', url)).status, 404);
    assert.equal((await forum().call('GET', item?.images[0]?.url ?? '')).status, 200);
    const { token } = reviewed.moderator;
    const news = await forum().json<News>('GET', apiRoutes.news, { token });
    assert.equal(news.pendingModeration, 3);
    const open = await forum().json<Queue>('GET', apiRoutes.queue, { token });
    assert.deepEqual([open.data, open.counts.pending], [[], 3]);
    for (let count = 0; count < 20; count++) await reviewed.post(await forum().person());
    const page = await reviewed.pending();
    assert.equal(page.data.length, 20);
    const rest = await reviewed.pending(`&after=${page.next}`);
    assert.equal(rest.data.length, 3);
    assert.equal(new Set([...page.data, ...rest.data].map(({ version }) => version)).size, 23);
    await changeSettings(forum(), {});
    assert.equal((await reviewed.pending()).isOpenToSpam, true);
    await changeSettings(forum(), { registration: 'closed' });
    assert.equal((await reviewed.pending()).isOpenToSpam, false);
    await reviewFirstPosts(forum());
  });
});
