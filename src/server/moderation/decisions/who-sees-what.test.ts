import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import {
  atFirst,
  type Cells,
  type Changes,
  expected,
  html,
} from '../../../../test/forum/expected-surfaces.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import {
  buildScene,
  marks,
  type Scene,
  type Thing,
  type Viewer,
} from '../../../../test/forum/moderation-scene.ts';
import {
  comment,
  type Draft,
  decide,
  decided,
  undo,
  undone,
  user,
} from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { readSurfaces } from '../../../../test/forum/surfaces.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { ProblemCode } from '../../../shared/errors.ts';
import type { LiveChanged } from '../../../shared/live.ts';
import type { Decision, Log, OwnDecisions, Subject } from '../../../shared/moderation.ts';
import type { News, Person } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';
import { readAudit } from '../../database/audit-log.ts';
import { sweepImages } from '../../images/sweep-images.ts';

const countsAtFirst = {
  comments: 5,
  removed: 1,
  replies: 1,
  unread: 3,
  notifications: 2,
  thanks: [1, marks.name],
};

const hiddenComment: Changes = {
  comment: { owner: 'export', staff: 'versions members' },
  picture: { owner: 'export', staff: 'versions' },
  name: { less: 'replies' },
  avatar: { less: 'live replies comments' },
};
/** All that a hidden account made. The texts of others in its channel are hidden with the channel. */
const hiddenAuthor: Changes = {
  comment: { owner: 'export', staff: 'versions members' },
  picture: { owner: 'export', staff: 'versions' },
  channel: { owner: 'export' },
  about: { owner: 'export' },
  cover: { owner: 'export' },
  answer: { staff: 'members' },
  name: { owner: 'me trash export', staff: 'profile members queue' },
  // The trash names the picture with an address that is not signed and does not open.
  avatar: { owner: 'me trash! export', staff: 'profile members' },
  loose: { owner: 'export' },
};
const withoutComment = { comments: 4, removed: 2, replies: 0, unread: 2, notifications: 1 };
const withoutAuthor = { ...withoutComment, thanks: [0], notifications: 0 };

interface Row {
  on: string;
  subject: (scene: Scene) => Draft['subject'];
  action: Decision['action'];
  days?: number;
  /** For each text or image that the decision affects, the pages and lists that show it differently until it is undone. */
  changes: Changes;
  /** The texts and images that moderators see in the queue after the author has appealed. */
  queued: Thing[];
  counts?: Partial<typeof countsAtFirst>;
  /** Why the author cannot write. */
  code?: ProblemCode;
  /** Sent to readers of the member's channel. */
  sent?: LiveChanged;
  /** The beginning of the text that the author reads in the list of decisions, where it shows one. */
  excerpt?: string;
  /** Everybody, unless another row shows what the others see, or the decision hides nothing from them. */
  viewers?: Viewer[];
}

const ofComment = ({ shared }: Scene) => comment(shared._id, 2);
const ofOwnChannel = ({ own }: Scene): Subject => ({ kind: 'channel', id: own._id });
const ofAuthor = ({ people }: Scene) => user(people.author);
const onComment: Thing[] = ['comment', 'picture'];
const onChannel: Thing[] = ['channel', 'about', 'cover'];
const onPerson: Thing[] = ['comment', 'channel', 'about', 'avatar'];
const concerned: Viewer[] = ['author', 'moderator'];
const all = { counts: withoutAuthor, code: 'silenced', sent: {} } as const;

const rows: Row[] = [
  {
    on: 'a comment',
    subject: ofComment,
    action: 'hide',
    queued: onComment,
    changes: hiddenComment,
    counts: withoutComment,
    sent: { numbers: [2] },
    excerpt: marks.comment,
  },
  {
    // Nobody else sees it before, either.
    on: 'a deleted comment',
    action: 'hide',
    viewers: concerned,
    queued: ['deleted'],
    excerpt: marks.deleted,
    subject: ({ shared }) => comment(shared._id, 6),
    changes: {
      deleted: { owner: 'export', staff: 'versions' },
      name: { less: 'trash' },
      avatar: { less: 'trash' },
    },
  },
  {
    on: 'a channel',
    subject: ofOwnChannel,
    action: 'hide',
    queued: onChannel,
    changes: {
      channel: { owner: 'export' },
      about: { owner: 'export' },
      cover: { owner: 'export' },
      answer: { staff: 'members' },
      name: { less: 'home' },
      avatar: { less: 'home' },
    },
    excerpt: marks.channel,
  },
  {
    ...all,
    on: 'a person',
    subject: ofAuthor,
    action: 'hideAll',
    viewers: concerned,
    changes: hiddenAuthor,
    queued: onPerson,
  },
  {
    ...all,
    on: 'the author of a comment',
    subject: ofComment,
    action: 'hideAll',
    changes: hiddenAuthor,
    queued: onComment,
    excerpt: marks.comment,
    viewers: ['moderator'],
  },
  {
    ...all,
    on: 'the author of a channel',
    subject: ofOwnChannel,
    action: 'hideAll',
    changes: hiddenAuthor,
    queued: onChannel,
    excerpt: marks.channel,
    viewers: ['moderator'],
  },
  {
    ...all,
    on: 'several people',
    action: 'hideAll',
    queued: onPerson,
    subject: ({ people }) => ({ kind: 'users', ids: [people.author.id, people.newcomer.id] }),
    changes: {
      ...hiddenAuthor,
      newName: { owner: 'me export', staff: 'profile members' },
      waiting: { owner: 'pending export' },
      waitingPicture: { owner: 'pending export' },
      plan: { owner: 'pending export', staff: 'members' },
      planCover: { owner: 'pending export' },
    },
  },
  {
    on: 'a person',
    subject: ofAuthor,
    action: 'silence',
    days: 1,
    code: 'silenced',
    changes: {},
    queued: onPerson,
    viewers: concerned,
  },
  {
    on: 'a person',
    subject: ofAuthor,
    action: 'suspend',
    code: 'suspended',
    changes: {
      comment: { ownerLess: 'news' },
      deleted: { ownerLess: 'trash' },
      name: { ownerLess: 'news trash' },
      avatar: { ownerLess: 'news trash' },
    },
    queued: onPerson,
    viewers: concerned,
  },
];

/** On PostgreSQL, once for each query that hides something. */
const rowsOfPostgres = ['a comment', 'a channel', 'several people'];
const viewersOfPostgres: Viewer[] = ['guest', 'member', 'author', 'moderator'];

onBothEngines('who sees what', (forum, _wait, engine) => {
  let scene: Scene;
  before(async () => {
    scene = await buildScene(forum());
  });

  /** The counts of comments, replies, thanks, unread comments and notifications that the member reads. */
  async function counts() {
    const { shared, people } = scene;
    const channel = await forum().json<Channel>('GET', apiRoutes.channel(shared._id));
    const [first] = await forum().allComments(shared._id);
    const url = withQuery(apiRoutes.news, { channels: shared._id });
    const { reads, unreadNotifications } = await forum().json<News>('GET', url, people.member);
    return {
      comments: channel.commentCount,
      removed: channel.removedCount,
      replies: first?.replyCount,
      unread: reads[shared._id]?.unread,
      notifications: unreadNotifications,
      thanks: [first?.thanks.count, ...(first?.thanks.names ?? [])],
    };
  }
  /** Reads counts, the public log, the author's own decisions, and whether the author may write. */
  async function observe() {
    const { author, moderator } = scene.people;
    const person = await forum().json<Person>('GET', apiRoutes.user(author.id), moderator);
    const log = await forum().json<Log>('GET', apiRoutes.log);
    const own = await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, author);
    const written = await forum().call('PUT', apiRoutes.thanks(scene.shared._id, 1), author);
    const { code = '' } = (await written.json()) as { code?: string };
    return {
      hiddenBy: person.hiddenBy,
      counts: await counts(),
      log: log.data.slice(0, 2).map(({ action, isUndone }) => [action, isUndone]),
      told: own.data.slice(0, 2),
      writes: `${written.status} ${code}`,
    };
  }

  const ofEngine = rows.filter(
    ({ on, action }) =>
      engine === 'sqlite' || (action.startsWith('hide') && rowsOfPostgres.includes(on)),
  );
  for (const { on, action, days, code, sent, excerpt = '', ...row } of ofEngine)
    test(`${action} ${on}, and undo`, async (t) => {
      const viewers = engine === 'sqlite' ? row.viewers : viewersOfPostgres;
      const { moderator, admin, author } = scene.people;
      const subject = row.subject(scene);
      const draft = { subject, action, ...(days && { days }) };
      const live = await LiveReader.open(forum(), scene.shared._id);
      const decision = await decided(forum(), moderator, draft);
      // After a failure, the next tests need it undone.
      t.after(() => undo(forum(), admin, decision.id));
      if (sent) await live.untilChanged(sent);
      const again = await decide(forum(), moderator, draft);
      const appeal = await forum().call('POST', apiRoutes.appeal(decision.id), {
        token: author.token,
        body: { text: 'No es verdad' },
      });
      const seen = await readSurfaces(scene, viewers);
      const during = await observe();
      const undoing = await undone(forum(), admin, decision);
      if (sent) await live.untilChanged(sent);
      live.close();
      const after = await observe();

      assert.deepEqual(seen, expected(row.changes, row.queued, viewers));
      assert.deepEqual(during.counts, { ...countsAtFirst, ...row.counts });
      assert.equal(during.writes, code ? `403 ${code}` : '200 ');
      assert.equal(during.hiddenBy, action === 'hideAll' ? decision.id : undefined);
      assert.deepEqual(during.log[0], [action, false]);
      const [told] = during.told;
      assert.equal(told?.isInForce, true);
      assert.deepEqual(
        [told?.id, told?.subject, told?.reason],
        [decision.id, 'id' in subject ? subject : user(author), decision.reason],
      );
      assert.equal(told.excerpt.slice(0, excerpt.length || undefined), excerpt);
      assert.deepEqual([after.counts, after.writes], [countsAtFirst, '200 ']);
      assert.deepEqual(after.log, [
        ['undo', false],
        [action, true],
      ]);
      const [reversal, former] = after.told;
      assert.deepEqual(
        [reversal?.undoes, reversal?.reason, former?.isInForce, former?.appeal?.state],
        [decision.id, undoing.reason, false, 'granted'],
      );
      assert.deepEqual([decision.isFinal, undoing.isFinal, appeal.status], [false, true, 201]);
      const { decision: first } = await expectProblem(again, 409, 'already_decided');
      assert.equal(first?.id, decision.id);
      for (const { id } of [decision, undoing])
        await expectProblem(await undo(forum(), moderator, id), 409, 'already_decided');
      const name = action.replace('hideAll', 'hide-all');
      assert.deepEqual(
        (await readAudit(forum().services.db, 2)).map((entry) => [
          entry.actor,
          entry.action,
          entry.subject,
        ]),
        [
          [moderator.id, `${name}-${subject.kind}`, 'id' in subject ? subject.id : decision.id],
          [admin.id, `undo-${name}`, decision.id],
        ],
      );
    });

  if (engine === 'sqlite')
    test('undoing these decisions shows everything as it was at first', async () => {
      assert.deepEqual(await readSurfaces(scene), expected({}));
    });

  const erase = async (id: string) => {
    await operate(forum(), 'erase', id);
    await sweepImages(forum().services);
  };
  const thanker = 'channel list comments profile search thanks';
  const named: Cells = {
    guest: `${thanker} ${html} live`,
    // The last comment of a channel is among their news.
    member: `${thanker} mentions news`,
    owner: `${thanker} me news export`,
    staff: `${thanker} mentions members queue`,
  };
  const ofPlan: Cells = {
    guest: 'list profile search home person found searches',
    member: 'list profile search',
    owner: 'list profile search export',
    staff: 'list profile search',
  };
  /** Changes that are not undone, each after those before it. */
  const steps: { title: string; act: () => Promise<unknown>; changes: Changes }[] = [
    {
      title: 'a newcomer is named while no first posts are reviewed',
      act: () => changeSettings(forum(), {}),
      changes: { newName: named },
    },
    {
      title: 'a newcomer is not named while first posts are reviewed again',
      act: () => reviewFirstPosts(forum()),
      changes: { newName: atFirst.newName },
    },
    {
      title: 'a rejected comment is shown to its author alone',
      act: () => review(scene.pending.waiting, 'reject'),
      changes: {
        waiting: { owner: 'pending export' },
        waitingPicture: { owner: 'pending export' },
        name: { less: 'queue' },
      },
    },
    {
      title: 'an approved channel is shown to everybody, with the name of its author',
      act: () => review(scene.pending.plan, 'approve'),
      changes: {
        // Its author is told that it was published.
        plan: { ...ofPlan, owner: `${ofPlan.owner} news`, staff: `${ofPlan.staff} members` },
        planCover: { ...ofPlan, guest: `${ofPlan.guest} address` },
        newName: { ...named, guest: `${named.guest} home` },
      },
    },
    {
      title: 'an erased comment is nowhere',
      act: () => erase(commentId(scene.shared._id, 2)),
      changes: {
        comment: {},
        picture: {},
        channel: { ...atFirst.channel, staff: `${atFirst.channel.staff} members` },
        about: { ...atFirst.about, staff: `${atFirst.about.staff} members` },
        name: { less: 'queue replies' },
        avatar: { less: 'live comments replies' },
      },
    },
    {
      title: 'an erased channel is nowhere',
      act: () => erase(scene.own._id),
      changes: {
        channel: {},
        about: {},
        cover: {},
        answer: {},
        name: { less: 'queue replies home' },
        avatar: { less: 'live comments replies home page channel list' },
      },
    },
  ];
  const review = ({ kind, id }: Subject, action: string) =>
    decided(forum(), scene.people.moderator, { subject: { kind, id }, action });
  const changed: Changes = {};
  // On PostgreSQL only what the last step leaves is read, because every read takes a second.
  const stages =
    engine === 'sqlite'
      ? [steps.slice(0, 1), steps.slice(1, 3), steps.slice(3, 4), steps.slice(4)]
      : [steps];
  for (const stage of stages)
    test(stage.map(({ title }) => title).join('; '), async () => {
      for (const { act, changes } of stage) {
        await act();
        Object.assign(changed, changes);
      }
      assert.deepEqual(await readSurfaces(scene), expected(changed));
    });
});
