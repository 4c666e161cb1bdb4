import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { LiveFollower } from '../../../../test/forum/live-follower.ts';
import { decide, decided, staff, undo, undone, user } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { Decision, Log, OwnDecisions, Queue, Subject } from '../../../shared/moderation.ts';
import type { PendingList, PendingPost } from '../../../shared/pending.ts';
import type { MentionCandidates, News } from '../../../shared/people.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import type { SearchResults } from '../../../shared/search.ts';
import { readAudit } from '../../database/audit-log.ts';
import { withoutSignature } from '../../http/field-parser.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';

const dayMs = 86_400_000;

onBothEngines('reviews of posts and accounts', (forum, wait) => {
  let host: Person;
  let moderator: Person;
  let channel: Channel;
  before(async () => {
    host = await forum().person('Ana');
    moderator = await staff(forum());
    channel = await forum().channel(host);
    await forum().comment(host, channel._id, 'Bienvenidas');
    await forum().comment(host, channel._id, 'Presentaos aquí');
    await reviewFirstPosts(forum());
  });

  const put = (
    { token }: Person,
    comment: string,
    more: object = {},
    key: string = randomUUID(),
  ) => {
    const headers = { 'idempotency-key': key };
    const body = { id: channel._id, comment, ...more };
    return forum().call('PUT', apiRoutes.comment, { token, headers, body });
  };
  const hold = async (person: Person, comment = 'Hola', more: object = {}, key?: string) => {
    const response = await put(person, comment, more, key);
    const body = await response.text();
    assert.equal(response.status, 202, body);
    return JSON.parse(body) as PendingPost;
  };
  const holdChannel = async ({ token }: Person, more: object = {}) => {
    const body = { name: 'Bancal', description: 'Acelgas', cover: '/default-avatar.svg', ...more };
    return forum().json<PendingPost>('POST', apiRoutes.channels, { token, body });
  };
  const list = async ({ token }: Person) =>
    (await forum().json<PendingList>('GET', apiRoutes.pendingPosts, { token })).data;
  const of = ({ kind, id }: PendingPost): Subject => ({ kind, id });
  const approve = (pendingPost: PendingPost, by = moderator, more: object = {}) =>
    decide(forum(), by, { subject: of(pendingPost), action: 'approve', reason: '', ...more });
  const approved = async (pendingPost: PendingPost) => {
    const response = await approve(pendingPost);
    const body = await response.text();
    assert.equal(response.status, 201, body);
    return JSON.parse(body) as Decision;
  };
  const reject = (pendingPost: PendingPost) =>
    decided(forum(), moderator, { subject: of(pendingPost), action: 'reject' });
  const expectState = async (
    person: Person,
    pendingPost: PendingPost,
    state: PendingPost['state'],
  ) => assert.equal((await list(person)).find(({ id }) => id === pendingPost.id)?.state, state);
  const pending = async (after = '') => {
    const { token } = moderator;
    const url = `${apiRoutes.queue}?state=pending${after}`;
    return forum().json<Queue>('GET', url, { token });
  };
  /** Creates a channel by a person who published before reviews were switched on. */
  async function newChannel(author: Person): Promise<Channel> {
    await changeSettings(forum(), {});
    const made = await forum().channel(author);
    await reviewFirstPosts(forum());
    return made;
  }

  test('an approved comment is published like a new one, and approves its author', async () => {
    const eva = await forum().person('Eva');
    const key = randomUUID();
    const more = { replyTo: 1, replyExcerpt: 'Bienvenidas' };
    const pendingPost = await hold(eva, 'Hola, llego hoy', more, key);
    const before = await forum().json<Channel>('GET', apiRoutes.channel(channel._id));
    const follower = await LiveFollower.start(forum(), channel._id);
    wait(60_000);
    const decision = await approved(pendingPost);
    const number = before.commentCount + before.removedCount + 1;
    assert.deepEqual(
      [decision.action, decision.subject, decision.reason, decision.accounts],
      ['approve', { kind: 'comment', id: commentId(channel._id, number) }, '', 1],
    );
    const [comment] = await forum().allComments(channel._id, commentId(channel._id, number - 1));
    assert.ok(comment);
    assert.deepEqual(
      [comment.comment, comment.autor, comment.number, comment.replyExcerpt, comment.revision],
      ['Hola, llego hoy', 'Eva', number, 'Bienvenidas', 1],
    );
    assert.ok(comment.createdAt > pendingPost.createdAt);
    await eventually('it arrives live', async () => follower.seen.includes(comment.id));
    follower.stop();
    const after = await forum().json<Channel>('GET', apiRoutes.channel(channel._id));
    assert.equal(after.commentCount, before.commentCount + 1);
    assert.equal((await forum().allComments(channel._id))[0]?.replyCount, 1);
    const found = await forum().json<{ data: unknown[] }>('GET', `${apiRoutes.search}?q=llego`);
    assert.equal(found.data.length, 1);
    assert.deepEqual(await list(eva), []);
    // The outbox repeats the request.
    const again = await put(eva, 'Hola, llego hoy', more, key);
    assert.deepEqual([again.status, await again.json()], [200, comment]);
    assert.equal((await put(eva, 'Ya no espero')).status, 200);
    const [audit] = await readAudit(forum().services.db, 1);
    assert.deepEqual(
      [audit?.actor, audit?.action, audit?.subject],
      [moderator.id, 'approve-comment', commentId(channel._id, number)],
    );
  });

  test('an account that visitors are not shown, and its pending posts, can have only images of this site', async () => {
    const elsewhere = 'https://tracker.example/a.png';
    const eva = await forum().person('Eva');
    const setImage = (img: string, { id, token } = eva) =>
      forum().call('PUT', apiRoutes.updateImage, { token, body: { id, img } });
    const putChannel = (cover: string) => {
      const body = { name: 'Bancal', description: 'Acelgas', cover };
      return forum().call('POST', apiRoutes.channels, { token: eva.token, body });
    };
    const refused = async (response: Response, field: string) => {
      const { errors } = await expectProblem(response, 400, 'invalid_fields');
      assert.deepEqual(
        errors?.map((error) => error.field),
        [field],
      );
    };
    await refused(await setImage(elsewhere), 'img');
    await refused(await putChannel(elsewhere), 'cover');
    const name = 'Nueva';
    const signUp = {
      name,
      email: 'nueva@example.com',
      password: 'una clave larga',
      img: elsewhere,
    };
    await refused(await forum().call('POST', apiRoutes.signUp, { body: signUp }), 'img');
    const pendingPost = await holdChannel(eva);
    await approved(pendingPost);
    assert.equal((await setImage(elsewhere)).status, 200);
    const [own] = (await forum().json<{ data: Channel[] }>('GET', apiRoutes.channels)).data;
    assert.equal(own?.cover, '/default-avatar.svg');
    // The account's second channel in a day waits for review, although visitors can see the account.
    await refused(await putChannel(elsewhere), 'cover');
    assert.equal((await putChannel('/default-avatar.svg')).status, 202);
  });

  test('an approval lasts until the approved post is hidden, and also permits thanks', async () => {
    const eva = await forum().person('Eva');
    const thank = () => forum().call('PUT', apiRoutes.thanks(channel._id, 1), eva);
    await expectProblem(await thank(), 403, 'not_approved');
    const subject = (await approved(await hold(eva))).subject as Subject;
    assert.equal((await thank()).status, 200);
    const hidden = await decided(forum(), moderator, { subject, action: 'hide' });
    const next = await hold(eva, 'Más de lo mismo');
    await undone(forum(), moderator, hidden);
    assert.equal((await put(eva, 'Otra vez aquí')).status, 200);
    await approved(next);
  });

  test('an approved channel is listed with its cover', async () => {
    const eva = await forum().person();
    const image = await quarters(47, 16).png().toBuffer();
    const stored = (await (await forum().upload(eva, image)).json()) as { downloadURL: string };
    const pendingPost = await holdChannel(eva, { cover: stored.downloadURL });
    // The upload responds with a signed URL, since visitors cannot see the account.
    const url = withoutSignature(stored.downloadURL);
    assert.equal((await forum().call('GET', stored.downloadURL)).status, 200);
    assert.equal((await forum().call('GET', url)).status, 404);
    const { subject } = await approved(pendingPost);
    assert.ok(subject.kind === 'channel' && subject.id !== pendingPost.id);
    const made = await forum().json<Channel>('GET', apiRoutes.channel(subject.id));
    assert.deepEqual([made.name, made.cover, made.autorId], ['Bancal', url, eva.id]);
    assert.equal((await forum().call('GET', url)).status, 200);
    const channels = await forum().json<{ data: Channel[] }>(
      'GET',
      `${apiRoutes.channels}?sort=new`,
    );
    assert.equal(channels.data[0]?._id, subject.id);
  });

  test('the first decision wins, and a version of another post is refused', async () => {
    const [eva, other] = [await forum().person(), await staff(forum(), 'moderator', 'Marta')];
    const [pendingPost, unread] = [await hold(eva), await hold(eva, 'Otra cosa')];
    const version = unread.id;
    await expectProblem(await approve(pendingPost, other, { version }), 409, 'already_decided');
    await expectState(eva, pendingPost, 'pending');
    const looked = { version: pendingPost.id };
    const answers = await Promise.all([
      approve(pendingPost, moderator, looked),
      approve(pendingPost, other, looked),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    const [made, refused] = answers.sort((one, two) => one.status - two.status);
    const { id } = (await (made as Response).json()) as Decision;
    const problem = await expectProblem(refused as Response, 409, 'already_decided');
    assert.equal(problem.decision?.id, id);
    const rejecting = { subject: of(pendingPost), action: 'reject' };
    const late = await expectProblem(
      await decide(forum(), other, rejecting),
      409,
      'already_decided',
    );
    assert.equal(late.decision?.id, id);
    const undoing = await expectProblem(await undo(forum(), other, id), 409, 'already_decided');
    assert.equal(undoing.detail, 'Ya se publicó: ocúltalo, si hace falta.');
  });

  test('a rejection of a post needs a reason, is shown to its author, and is final', async () => {
    const eva = await forum().person();
    const pendingPost = await hold(eva, 'Compra aquí');
    const draft = { subject: of(pendingPost), action: 'reject' };
    await expectProblem(
      await decide(forum(), moderator, { ...draft, reason: '' }),
      400,
      'invalid_fields',
    );
    const decision = await reject(pendingPost);
    assert.deepEqual(await list(eva), [
      { ...pendingPost, state: 'rejected', reason: 'Es publicidad.' },
    ]);
    const { token } = eva;
    const own = await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, { token });
    assert.deepEqual([own.data[0]?.action, own.data[0]?.reason], ['reject', 'Es publicidad.']);
    const log = await forum().json<Log>('GET', apiRoutes.log);
    assert.equal(log.data[0]?.action, 'reject');
    assert.ok(log.data.every(({ action }) => action !== 'approve'));
    const again = await expectProblem(await approve(pendingPost), 409, 'already_decided');
    assert.equal(again.decision?.id, decision.id);
    // A rejected post does not approve its author.
    await hold(eva, 'Otra vez');
    await expectProblem(await undo(forum(), moderator, decision.id), 409, 'already_decided');
    await expectState(eva, pendingPost, 'rejected');
    const withdrawn = await hold(await forum().person());
    const row = forum().services.db.selectFrom('pending_posts').select('account_id');
    const { account_id } = await row.where('id', '=', withdrawn.id).executeTakeFirstOrThrow();
    await forum()
      .services.db.deleteFrom('pending_posts')
      .where('account_id', '=', account_id)
      .execute();
    await expectProblem(await approve(withdrawn), 404, 'pending_not_found');
  });

  test('a caller who may not decide is refused', async () => {
    const eva = await forum().person();
    const pendingPost = await hold(eva);
    await expectProblem(await approve(pendingPost, eva), 404, 'not_found');
    const kind = { subject: { kind: 'channel', id: pendingPost.id } };
    await expectProblem(await approve(pendingPost, moderator, kind), 404, 'pending_not_found');
    for (const id of ['x', `${pendingPost.id}0`, randomUUID()]) {
      const unknown = { subject: { kind: 'comment', id } };
      await expectProblem(await approve(pendingPost, moderator, unknown), 404, 'pending_not_found');
      const somebody = { subject: { kind: 'user', id } };
      await expectProblem(await approve(pendingPost, moderator, somebody), 404, 'user_not_found');
    }
    await operate(forum(), 'role', eva.id, 'moderator');
    await expectProblem(await approve(pendingPost, eva), 403, 'staff_only');
    const marta = await staff(forum(), 'moderator', 'Marta');
    const admin = await staff(forum(), 'admin', 'Inés');
    await decided(forum(), admin, { subject: user(marta), action: 'silence', days: 1 });
    await expectProblem(await approve(pendingPost, marta), 403, 'silenced');
    const published = { kind: 'comment', id: commentId(channel._id, 1) };
    await expectProblem(
      await approve(pendingPost, moderator, { subject: published }),
      404,
      'pending_not_found',
    );
    await approved(pendingPost);
  });

  test('a post is not published while its author cannot write', async () => {
    const eva = await forum().person();
    const pendingPost = await hold(eva);
    const silence = await decided(forum(), moderator, {
      ...{ subject: user(eva), action: 'silence', days: 1 },
    });
    const { detail } = await expectProblem(await approve(pendingPost), 409, 'already_decided');
    assert.match(detail, /no puede escribir/);
    await expectState(eva, pendingPost, 'pending');
    await undone(forum(), moderator, silence);
    await approved(pendingPost);
  });

  test('a post stays pending while its channel is closed, deleted or hidden', async () => {
    const [eva, ana] = [await forum().person(), await forum().person()];
    const { _id: id } = await newChannel(ana);
    const pendingPost = await hold(eva, 'Hola', { id });
    const { token } = ana;
    await forum().json('POST', apiRoutes.closeChannel(id), { token });
    await expectProblem(await approve(pendingPost), 409, 'channel_closed');
    await forum().json('POST', apiRoutes.reopenChannel(id), { token });
    await forum().json('DELETE', apiRoutes.channel(id), { token });
    await expectProblem(await approve(pendingPost), 404, 'channel_not_found');
    await forum().json('POST', apiRoutes.restoreChannel(id), { token });
    const subject = { kind: 'channel', id } as const;
    const hidden = await decided(forum(), moderator, { subject, action: 'hide' });
    await expectProblem(await approve(pendingPost), 404, 'channel_not_found');
    await undone(forum(), moderator, hidden);
    await expectState(eva, pendingPost, 'pending');
    const gone = await hold(eva, 'Y más', { id });
    await approved(pendingPost);
    await operate(forum(), 'erase', id);
    await expectProblem(await approve(gone), 404, 'channel_not_found');
    const item = (await pending()).data.find(({ subject }) => subject.id === gone.id);
    assert.deepEqual(item?.context, { channel: null, before: [], after: [] });
    await reject(gone);
  });

  test('a post is published without quotations and mentions that no longer exist', async () => {
    const [eva, ana] = [await forum().person(), await forum().person('Ana')];
    const { _id: id } = await newChannel(ana);
    await changeSettings(forum(), {});
    await forum().comment(ana, id, 'Uno');
    await forum().comment(ana, id, 'Dos');
    await reviewFirstPosts(forum());
    const mentions = [{ start: 0, length: 4, accountId: ana.id }];
    const deleted = await hold(eva, 'Sí', { id, replyTo: 1, replyExcerpt: 'Uno' });
    const edited = await hold(eva, 'No', { id, replyTo: 2, replyExcerpt: 'Dos' });
    const mentioning = await hold(eva, '@Ana, hola', { id, mentions });
    const { token, password } = ana;
    await forum().json('DELETE', apiRoutes.channelComment(id, 1), { token });
    await forum().json('PATCH', apiRoutes.channelComment(id, 2), {
      ...{ token, headers: { 'if-match': '"1"' }, body: { comment: 'Tres' } },
    });
    const body = { currentPassword: password, content: 'anonymous' };
    await forum().json('DELETE', apiRoutes.me, { token, body });
    wait(15 * dayMs);
    await eraseDueAccounts(forum().services);
    const { token: mine } = (await (
      await forum().signIn(moderator.email, moderator.password)
    ).json()) as Person;
    moderator = { ...moderator, token: mine };
    for (const pendingPost of [deleted, edited, mentioning]) await approved(pendingPost);
    const published = (await forum().allComments(id)).slice(-3);
    assert.deepEqual(
      published.map(({ comment, replyTo, replyExcerpt, mentions }) => [
        ...[comment, replyTo, replyExcerpt, mentions.length],
      ]),
      [
        ['Sí', 1, '', 0],
        ['No', 2, '', 0],
        ['@cuenta eliminada, hola', null, '', 0],
      ],
    );
  });

  test('the pending posts of hidden accounts are in no queue and cannot be approved', async () => {
    const [eva, ana, out] = [
      await forum().person(),
      await forum().person(),
      await forum().person(),
    ];
    const [waiting, honest, theirs] = [await hold(eva), await hold(out), await holdChannel(ana)];
    const subject = { kind: 'users' as const, ids: [eva.id, ana.id] };
    const raid = await decided(forum(), moderator, { subject, action: 'hideAll' });
    assert.equal(raid.accounts, 2);
    const queued = async () => {
      const { data, counts } = await pending();
      const ids = data.map(({ subject }) => (subject as Subject).id);
      return [counts.pending, ...[honest, waiting, theirs].map(({ id }) => ids.includes(id))];
    };
    const [count] = await queued();
    assert.deepEqual(await queued(), [count, true, false, false]);
    const problem = await expectProblem(await approve(waiting), 409, 'already_decided');
    assert.match(problem.detail, /no puede escribir ahora/);
    await undone(forum(), moderator, raid);
    assert.deepEqual(await queued(), [Number(count) + 2, true, true, true]);
    await approved(waiting);
  });

  test('the queue lists posts and accounts that wait, oldest first', async () => {
    const { db } = forum().services;
    for (const table of ['cases', 'pending_post_images', 'pending_posts'] as const)
      await db.deleteFrom(table).execute();
    const eva = await forum().person('Eva');
    const image = await quarters(49, 16).png().toBuffer();
    const upload = await forum().upload(eva, image, { use: 'comment' });
    const { downloadURL } = (await upload.json()) as { downloadURL: string };
    const url = withoutSignature(downloadURL);
    const first = await hold(eva, 'Hola a @Ana', {
      images: [{ url, alt: 'Cuatro' }],
      mentions: [{ start: 7, length: 4, accountId: host.id }],
    });
    const asking = await forum().person('Rut');
    await db
      .updateTable('accounts')
      .set({ admission: 'pending', about: 'La vecina', disabled_at_ms: forum().services.now() })
      .where('id', '=', asking.id)
      .execute();
    const second = await holdChannel(eva);
    const { data, next, counts, isOpenToSpam } = await pending();
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
    assert.equal(item?.context.channel?.name, channel.name);
    assert.deepEqual(
      item?.context.before.map(({ comment }) => comment),
      (await forum().allComments(channel._id)).slice(-2).map(({ comment }) => comment),
    );
    assert.equal(item?.author.id, eva.id);
    assert.equal(item?.refusal, null);
    assert.equal((await forum().call('GET', url)).status, 404);
    assert.equal((await forum().call('GET', item?.images[0]?.url ?? '')).status, 200);
    const { token } = moderator;
    const news = await forum().json<News>('GET', apiRoutes.news, { token });
    assert.equal(news.pendingModeration, 3);
    const open = await forum().json<Queue>('GET', apiRoutes.queue, { token });
    assert.deepEqual([open.data, open.counts.pending], [[], 3]);
    for (let count = 0; count < 20; count++) await hold(await forum().person());
    const page = await pending();
    assert.equal(page.data.length, 20);
    const rest = await pending(`&after=${page.next}`);
    assert.equal(rest.data.length, 3);
    assert.equal(new Set([...page.data, ...rest.data].map(({ version }) => version)).size, 23);
    await changeSettings(forum(), {});
    assert.equal((await pending()).isOpenToSpam, true);
    await changeSettings(forum(), { registration: 'closed' });
    assert.equal((await pending()).isOpenToSpam, false);
    await reviewFirstPosts(forum());
  });

  test('an account is let in, refused and made to wait again', async () => {
    const rut = await forum().person('Rut');
    const { db } = forum().services;
    const ask = () =>
      db
        .updateTable('accounts')
        .set({ admission: 'pending', disabled_at_ms: forum().services.now() })
        .where('id', '=', rut.id)
        .execute();
    const state = async () => {
      const row = db.selectFrom('accounts').select('admission').where('id', '=', rut.id);
      return (await row.executeTakeFirstOrThrow()).admission;
    };
    await ask();
    const subject = user(rut);
    const refused = await decided(forum(), moderator, { subject, action: 'reject' });
    assert.equal(await state(), 'refused');
    const again = await decide(forum(), moderator, { subject, action: 'approve' });
    const problem = await expectProblem(again, 409, 'already_decided');
    assert.equal(problem.decision?.id, refused.id);
    await undone(forum(), moderator, refused);
    assert.equal(await state(), 'pending');
    const letIn = await decided(forum(), moderator, { subject, action: 'approve', reason: '' });
    assert.equal(await state(), null);
    const undoing = await expectProblem(
      await undo(forum(), moderator, letIn.id),
      409,
      'already_decided',
    );
    assert.equal(undoing.detail, 'La cuenta ya está aprobada: suspéndela, si hace falta.');
    // The account was approved, so its first post is not reviewed.
    const { token } = (await (await forum().signIn(rut.email, rut.password)).json()) as Person;
    const posted = await put({ ...rut, token }, 'Ya estoy');
    assert.equal(((await posted.json()) as Comment).autor, 'Rut');
  });

  /** Numbers of people whose name starts with "Ofertas" in a search and in mention candidates. */
  const namedOffers = async () => {
    const q = withQuery(apiRoutes.search, { q: 'ofertas' });
    const found = await forum().json<SearchResults>('GET', q);
    const users = withQuery(apiRoutes.users, { channel: channel._id, prefix: 'ofer' });
    const { data } = await forum().json<MentionCandidates>('GET', users, host);
    return [(found.people ?? []).length, data.length];
  };

  test('no list of people names an account that no moderator has reviewed', async () => {
    const eva = await forum().person('Ofertas Baratas');
    const pendingPost = await hold(eva);
    assert.deepEqual(await namedOffers(), [0, 0]);
    await changeSettings(forum(), {});
    assert.deepEqual(await namedOffers(), [1, 1], 'nothing is reviewed');
    await reviewFirstPosts(forum());
    await approved(pendingPost);
    assert.deepEqual(await namedOffers(), [1, 1]);
    // Keep the account out of the lists of other tests.
    await decided(forum(), moderator, { subject: user(eva), action: 'hideAll' });
  });

  test('an account that never published is named only while nothing is reviewed, and one that did is named even after a rejection', async () => {
    await changeSettings(forum(), {});
    const eva = await forum().person('Ofertas Caras');
    await reviewFirstPosts(forum());
    assert.deepEqual(await namedOffers(), [0, 0]);
    await reject(await hold(eva));
    await changeSettings(forum(), {});
    assert.deepEqual(await namedOffers(), [1, 1]);
    assert.equal((await put(eva, 'Sin revisión')).status, 200);
    assert.deepEqual(await namedOffers(), [1, 1]);
    await reviewFirstPosts(forum());
    // Three links are a signal.
    const links = [1, 2, 3].map((page) => `https://ejemplo.es/${page}`).join(' ');
    await reject(await hold(eva, links));
    assert.deepEqual(await namedOffers(), [1, 1], 'it has something published');
    await decided(forum(), moderator, { subject: user(eva), action: 'hideAll' });
    assert.deepEqual(await namedOffers(), [0, 0]);
  });

  test('a rejected account is shown again once its published post is, and cannot be mentioned until then', async () => {
    await changeSettings(forum(), {});
    const eva = await forum().person('Vera Ruz');
    const own = await forum().comment(eva, channel._id, 'Uno');
    const at = { mentions: [{ start: 0, length: 9, accountId: eva.id }] };
    const naming = await forum().comment(host, channel._id, '@Vera Ruz, hola', at);
    await reviewFirstPosts(forum());
    const subject = { kind: 'comment', id: own.id } as const;
    const hidden = await decided(forum(), moderator, { subject, action: 'hide' });
    await reject(await hold(eva));
    const page = () => forum().call('GET', apiRoutes.user(eva.id));
    const text = async () =>
      (await forum().allComments(channel._id)).find(({ id }) => id === naming.id)?.comment;
    assert.deepEqual([(await page()).status, await text()], [404, '@cuenta oculta, hola']);
    await undone(forum(), moderator, hidden);
    assert.deepEqual([(await page()).status, await text()], [200, '@Vera Ruz, hola']);
  });

  test('an author is reviewed again once a moderator hides all of their posts, even through the channel, not counting their own deletions', async () => {
    await changeSettings(forum(), {});
    const [eva, ana] = [await forum().person(), await forum().person()];
    const { _id } = await forum().channel(eva);
    await forum().comment(eva, _id, 'En lo mío');
    const [first, second] = [
      await forum().comment(ana, channel._id, 'Uno'),
      await forum().comment(ana, channel._id, 'Dos'),
    ];
    await reviewFirstPosts(forum());
    const hideIt = (subject: Subject) => decided(forum(), moderator, { subject, action: 'hide' });
    const hidden = await hideIt({ kind: 'channel', id: _id });
    await hold(eva);
    await undone(forum(), moderator, hidden);
    assert.equal((await put(eva, 'Otra vez')).status, 200);
    const deleting = apiRoutes.channelComment(channel._id, first.number);
    await forum().json('DELETE', deleting, { token: ana.token });
    await hideIt({ kind: 'comment', id: second.id });
    assert.equal((await put(ana, 'Sigo')).status, 200);
  });

  test('an author whose comment is shown again is not reviewed, even while the channel of somebody else is hidden', async () => {
    const ana = await forum().person();
    const other = await newChannel(await forum().person());
    await changeSettings(forum(), {});
    const { id } = await forum().comment(ana, other._id, 'Uno');
    await reviewFirstPosts(forum());
    const hideIt = (subject: Subject) => decided(forum(), moderator, { subject, action: 'hide' });
    const hidden = [
      await hideIt({ kind: 'comment', id }),
      await hideIt({ kind: 'channel', id: other._id }),
    ];
    for (const decision of hidden) await undone(forum(), moderator, decision);
    assert.equal((await forum().call('GET', apiRoutes.user(ana.id))).status, 200);
    assert.equal((await put(ana, 'Dos')).status, 200);
  });

  test('an account that no moderator has reviewed has a page only for moderators', async () => {
    const eva = await forum().person('Ofertas de Marzo');
    const { id } = eva;
    const urls = [
      ...[pageRoutes.user(id), apiRoutes.user(id)],
      ...[apiRoutes.userChannels(id), apiRoutes.userComments(id)],
    ];
    const found = () =>
      Promise.all(
        urls.map(async (url) => {
          const response = await forum().call('GET', url);
          const isNamed = (await response.text()).includes(eva.name);
          return isNamed ? `named with ${response.status}` : response.status;
        }),
      );
    const report = async () => {
      const body = { kind: 'user', id, reason: 'spam' };
      return (await forum().call('POST', apiRoutes.reports, { body })).status;
    };
    const nobody = [404, 404, 404, 404];
    const person = ['named with 200', 'named with 200', 200];
    const pendingPost = await hold(eva);
    assert.deepEqual(await found(), nobody);
    assert.equal(await report(), 404, 'there is nobody to report');
    for (const { token, status } of [
      { ...moderator, status: 200 },
      { ...host, status: 404 },
      { ...eva, status: 404 },
    ])
      assert.equal((await forum().call('GET', apiRoutes.user(id), { token })).status, status);
    await changeSettings(forum(), {});
    assert.deepEqual(await found(), [...person, 200], 'nothing is reviewed');
    await reviewFirstPosts(forum());
    await approved(pendingPost);
    assert.deepEqual(await found(), [...person, 'named with 200']);
    assert.equal(await report(), 202);
  });

  test('thanks name the people who gave them while they are approved', async () => {
    await changeSettings(forum(), {});
    const eva = await forum().person('Eva Antes');
    const { _id: id } = await forum().channel(host);
    await forum().comment(host, id, 'Uno');
    await forum().json('PUT', apiRoutes.thanks(id, 1), eva);
    const named = async () => (await forum().allComments(id))[0]?.thanks.names;
    assert.deepEqual(await named(), [eva.name]);
    await reviewFirstPosts(forum());
    assert.deepEqual(await named(), []);
    const subject = (await approved(await hold(eva))).subject as Subject;
    assert.deepEqual(await named(), [eva.name]);
    await decided(forum(), moderator, { subject, action: 'hide' });
    assert.deepEqual(await named(), []);
  });

  test('nobody can mention an account that no moderator has reviewed', async () => {
    const eva = await forum().person('Eva');
    await changeSettings(forum(), {});
    const rut = await forum().person('Rut');
    const { _id: id } = await forum().channel(host);
    await forum().comment(rut, id, 'Uno');
    const at = ({ id: accountId }: Person) => ({ mentions: [{ start: 0, length: 4, accountId }] });
    const before = await forum().comment(host, id, '@Eva, hola', at(eva));
    await reviewFirstPosts(forum());
    const edit = (comment: string, person: Person, revision: number) =>
      forum().call('PATCH', apiRoutes.channelComment(id, before.number), {
        ...{ token: host.token, headers: { 'if-match': `"${revision}"` } },
        body: { comment, ...at(person) },
      });
    await expectProblem(await put(host, '@Eva, ven', { id, ...at(eva) }), 400, 'invalid_fields');
    assert.equal(
      (await edit('@Eva, hola otra vez', eva, 1)).status,
      200,
      'it was mentioned before',
    );
    assert.equal((await edit('@Rut, hola', rut, 2)).status, 200, 'it wrote before');
    await expectProblem(await edit('@Eva, hola', eva, 3), 400, 'invalid_fields');
    const author = await forum().person();
    await expectProblem(await put(author, '@Eva, yo', { id, ...at(eva) }), 400, 'invalid_fields');
    const pendingPost = await hold(author, '@Rut, ven', { id, ...at(rut) });
    await approved(pendingPost);
    const [published] = (await forum().allComments(id)).slice(-1);
    assert.deepEqual([published?.comment, published?.mentions.length], ['@Rut, ven', 1]);
    await approved(await hold(eva));
    assert.equal((await put(host, '@Eva, ven', { id, ...at(eva) })).status, 200);
  });

  test('the pending posts of an erased account are not found', async () => {
    const eva = await forum().person();
    const pendingPost = await hold(eva);
    const body = { currentPassword: eva.password, content: 'erase' };
    await forum().json('DELETE', apiRoutes.me, { token: eva.token, body });
    wait(15 * dayMs);
    await eraseDueAccounts(forum().services);
    const session = await forum().signIn(moderator.email, moderator.password);
    const { token } = (await session.json()) as Person;
    await expectProblem(
      await approve(pendingPost, { ...moderator, token }),
      404,
      'pending_not_found',
    );
  });
});
