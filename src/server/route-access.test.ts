import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { quarters } from '../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../test/forum/both-engines.ts';
import { datedComment } from '../../test/forum/dated-comment.ts';
import { expectProblem, type Person, uploadMetadata } from '../../test/forum/forum.ts';
import type { CallOptions } from '../../test/forum/forum-client.ts';
import { decided, staff, user } from '../../test/forum/moderators.ts';
import { closedPoll } from '../../test/forum/polls.ts';
import { addressOf, type World } from '../../test/forum/route-addresses.ts';
import { insertImported } from '../../test/moving-in/imported-people.ts';
import type { Profile, User } from '../shared/accounts.ts';
import { apiRoutes } from '../shared/api-routes.ts';
import type { Channel } from '../shared/channels.ts';
import { commentId } from '../shared/comment-id.ts';
import type { Comment } from '../shared/comments.ts';
import { type ProblemCode, problems } from '../shared/errors.ts';
import { assetRoutes } from '../shared/routes.ts';
import type { Callers } from './accounts/sessions/session-guard.ts';
import { unsubscribeToken } from './mail/unsubscribe.ts';
import { routeTable } from './route-table.ts';

const callers = [
  'guest',
  'made-up token',
  'ended session',
  'member',
  'silenced',
  'suspended',
  'moderator',
  'suspended moderator',
  'admin',
] as const;
type Caller = (typeof callers)[number];
type Refusals = Partial<Record<Caller, ProblemCode>>;
/** The callers of routes that refuse nobody, and of all routes on the second engine, which finds sessions alike. */
const callersOfPublic: Caller[] = [
  'guest',
  'made-up token',
  'silenced',
  'suspended moderator',
  'admin',
];
const callersOfPostgres: Caller[] = ['silenced', 'suspended moderator', 'admin'];

const withoutSession: Refusals = {
  guest: 'not_signed_in',
  'made-up token': 'not_signed_in',
  'ended session': 'not_signed_in',
};
const fromReaders: Refusals = {
  ...withoutSession,
  suspended: 'suspended',
  'suspended moderator': 'suspended',
};
const { guest: _, ...fromGuestsAndReaders } = fromReaders;
const fromStaff: Refusals = {
  ...fromReaders,
  member: 'not_found',
  silenced: 'not_found',
  suspended: 'not_found',
};
/** The callers that a route refuses before it reads the body. */
const refusals: Record<Callers, Refusals> = {
  'always everyone': {},
  everyone: {},
  'guests and readers': fromGuestsAndReaders,
  'signed in': withoutSession,
  readers: fromReaders,
  writers: { ...fromReaders, silenced: 'silenced' },
  staff: fromStaff,
  admins: { ...fromStaff, moderator: 'staff_only' },
};
const codesOfGuard = new Set<ProblemCode>(Object.values(refusals).flatMap(Object.values));

onBothEngines('who may call what', (forum, _wait, engine) => {
  const people: Record<string, Person> = {};
  before(async () => {
    for (const name of ['member', 'silenced', 'suspended']) {
      people[name] = await forum().person(name);
    }
    for (const name of ['moderator', 'suspended moderator']) {
      people[name] = await staff(forum(), 'moderator', name);
    }
    people.admin = await staff(forum(), 'admin', 'admin');
    await restrict('silence', of('silenced'));
    await restrict('suspend', of('suspended'));
    await restrict('suspend', of('suspended moderator'));
  });

  const of = (name: string): Person => people[name] as Person;

  async function restrict(action: 'silence' | 'suspend', person: Person): Promise<string> {
    const draft = { subject: user(person), action, days: 7 };
    return (await decided(forum(), of('admin'), draft)).id;
  }

  async function endedSession(): Promise<string> {
    const { token } = await forum().newSession(of('member'));
    await forum().json('POST', apiRoutes.signOut, { token });
    return token;
  }

  async function newWorld(): Promise<World> {
    const owner = await forum().person();
    const channel = await forum().channel(owner);
    await forum().comment(owner, channel._id, 'Hola');
    const png = await quarters(40, 16).png().toBuffer();
    const stored = (await (await forum().upload(owner, png)).json()) as { fullPath: string };
    const { receipt } = await forum().json<{ receipt: string }>('POST', apiRoutes.reports, {
      body: { kind: 'channel', id: channel._id, reason: 'spam' },
    });
    const decision = await restrict('silence', await forum().person());
    const unsubscribe = await unsubscribeToken(forum().services.db, owner.id);
    const dates = await datedComment(forum(), owner, channel._id, owner);
    const polled = await closedPoll(forum(), owner, channel._id);
    const { channelId } = await insertImported(forum(), owner);
    // One of the routes erases that channel.
    const { withdraw } = await insertImported(forum(), owner);
    const imported = { channelId, withdraw };
    return {
      ...{ owner, channel, image: stored.fullPath, decision, receipt, unsubscribe },
      ...dates,
      polled,
      ...imported,
    };
  }

  test('every route admits the callers that the table names, and refuses the others', async () => {
    const world = await newWorld();
    // Passkeys do not work on an IP address.
    const site = forum().url.replace('127.0.0.1', 'localhost');
    const ended = await endedSession();
    const tokenOf = async (caller: string, path: string) => {
      if (caller === 'guest') return undefined;
      if (caller === 'made-up token') return 'a'.repeat(43);
      if (caller === 'ended session') return ended;
      // Signing out must not end the session that the other routes are called with.
      if (path === apiRoutes.signOut) return (await forum().newSession(of(caller))).token;
      return of(caller).token;
    };
    for (const [route, [admitted]] of Object.entries(routeTable)) {
      const [method = '', pattern = ''] = route.split(' ');
      const url = site + addressOf(pattern, world);
      const body = /^(POST|PUT|PATCH|DELETE)$/.test(method) ? {} : undefined;
      const isPublic = admitted === 'everyone' || admitted === 'always everyone';
      const publicBodies = new Set<string>();
      const few = engine === 'postgres' ? callersOfPostgres : callersOfPublic;
      for (const caller of engine === 'sqlite' && !isPublic ? callers : few) {
        const token = await tokenOf(caller, pattern);
        const options = { body, ...(token === undefined ? {} : { token }) };
        const response = await forum().call(method, url, options);
        const { status, headers } = response;
        const what = `${route} by ${caller}: ${status}`;
        const isStream = headers.get('content-type') === 'text/event-stream';
        const text = isStream ? await response.body?.cancel() : await response.text();
        const isProblem = text && headers.get('content-type')?.includes('problem+json');
        const code: ProblemCode | undefined = isProblem ? JSON.parse(text).code : undefined;

        const refusal = refusals[admitted][caller];
        if (refusal) {
          assert.equal(status, problems[refusal].status, what);
          if (method !== 'HEAD') assert.equal(code, refusal, what);
        } else {
          assert.ok(status < 500, what);
          assert.ok(!code || !codesOfGuard.has(code), `${what} ${code}`);
        }
        const cache = headers.get('cache-control');
        if (status >= 400) assert.equal(cache, 'no-store', what);
        else if (!isPublic) assert.equal(cache, 'private, no-store', what);
        if (method !== 'GET') continue;

        if (!refusal) assert.equal(status, 200, what);
        if (isPublic) publicBodies.add(text ?? '');
        // HEAD has the guard of GET, so that one who is refused and one who is not suffice.
        if (isStream || !['guest', 'admin'].includes(caller)) continue;
        const head = await forum().call('HEAD', url, options);
        assert.equal(head.status, status, `HEAD ${what}`);
      }
      assert.ok(publicBodies.size <= 1, `${route} is the same for everyone`);
    }
  });

  // Whom the tests below refuse does not depend on the engine.
  if (engine === 'postgres') return;

  test('another person, a moderator and an admin may not do what only the owner may', async () => {
    const { owner, channel } = await newWorld();
    const tus = { 'tus-resumable': '1.0.0' };
    const begun = await forum().call('POST', apiRoutes.uploads, {
      token: owner.token,
      headers: {
        ...tus,
        'upload-length': '100',
        'upload-metadata': uploadMetadata({ filename: 'a.png', use: 'cover' }),
      },
    });
    const upload = begun.headers.get('location') ?? '';
    const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const form = { name: 'Canal', description: 'Uno', cover: assetRoutes.defaultAvatar };
    const first = { headers: { 'if-match': '"1"' } };
    const { _id } = channel;
    const comment = apiRoutes.channelComment(_id, 1);
    const autorId = owner.id;
    // Each call succeeds after the ones before it.
    const calls: [string, string, CallOptions, ProblemCode, number][] = [
      ['PUT', apiRoutes.updateImage, { body: { id: owner.id, img: '' } }, 'not_yours', 200],
      ['POST', apiRoutes.channels, { body: { ...form, autorId } }, 'not_yours', 201],
      ['PUT', apiRoutes.comment, { body: { id: _id, comment: 'x', autorId } }, 'not_yours', 200],
      ['PATCH', comment, { ...first, body: { comment: 'Otro' } }, 'not_yours', 200],
      ['DELETE', comment, {}, 'not_yours', 204],
      ['POST', apiRoutes.restoreComment(_id, 1), {}, 'comment_not_found', 200],
      ['PATCH', apiRoutes.channel(_id), { ...first, body: { name: 'Otro' } }, 'not_yours', 200],
      ['POST', apiRoutes.closeChannel(_id), {}, 'not_yours', 200],
      ['POST', apiRoutes.reopenChannel(_id), {}, 'not_yours', 200],
      ['DELETE', apiRoutes.channel(_id), {}, 'not_yours', 204],
      ['POST', apiRoutes.restoreChannel(_id), {}, 'channel_not_found', 200],
      ['HEAD', upload, { headers: tus }, 'upload_not_found', 200],
      ['PATCH', upload, { headers: { ...tus, ...part }, body: 'x' }, 'upload_not_found', 204],
      ['DELETE', upload, { headers: tus }, 'upload_not_found', 204],
    ];
    for (const [method, url, options, code, status] of calls) {
      const send = (token: string) => forum().call(method, url, { ...options, token });
      for (const caller of ['member', 'moderator', 'admin']) {
        const refused = await send(of(caller).token);
        if (method === 'HEAD') assert.equal(refused.status, problems[code].status, url);
        else await expectProblem(refused, problems[code].status, code);
      }
      assert.equal((await send(owner.token)).status, status, `${method} ${url}`);
    }
  });

  test('unknown fields of a body change nothing', async () => {
    const owner = await forum().person();
    const channel = await forum().channel(owner);
    const other = of('member');
    const mine = await forum().channel(other);
    const send = <T>(method: string, url: string, fields: object) => {
      const extra = {
        _id: channel._id,
        channelId: channel._id,
        number: 7,
        comments: [{ comment: 'x' }],
        autor: owner.name,
        autorImg: 'https://ejemplo.es/otra.png',
        createdAt: '2001-01-01T00:00:00.000Z',
        commentCount: 99,
        isAdmin: true,
        account_id: owner.id,
        password_hash: 'x',
      };
      return forum().json<T>(method, url, { token: other.token, body: { ...extra, ...fields } });
    };
    const form = { name: 'Canal', description: 'Uno', cover: assetRoutes.defaultAvatar };
    const made = await send<Channel>('POST', apiRoutes.channels, { ...form, id: channel._id });
    assert.notEqual(made._id, channel._id);
    assert.deepEqual(
      [made.autor, made.autorId, made.commentCount, made.comments],
      [other.name, other.id, 0, []],
    );
    assert.ok(made.createdAt >= channel.createdAt);

    const written = { id: mine._id, comment: 'Hola' };
    const comment = await send<Comment>('PUT', apiRoutes.comment, written);
    assert.deepEqual(
      [comment.id, comment.channelId, comment.autor, comment.autorId],
      [commentId(mine._id, 1), mine._id, other.name, other.id],
    );
    assert.ok(comment.createdAt >= made.createdAt);

    const account = { id: owner.id, name: 'Nueva', email: 'nueva@ejemplo.es', password: 'x' };
    assert.notEqual((await send<User>('POST', apiRoutes.signUp, account)).id, owner.id);
    const image = { id: other.id, name: 'Falsa', img: assetRoutes.defaultAvatar };
    const changed = await send<User>('PUT', apiRoutes.updateImage, image);
    assert.deepEqual([changed.id, changed.name], [other.id, other.name]);
    assert.deepEqual(await forum().json('GET', apiRoutes.channel(channel._id)), channel);
    const me = await forum().json<Profile>('GET', apiRoutes.me, { token: owner.token });
    assert.deepEqual([me.name, me.img, me.channelCount], [owner.name, owner.img, 1]);
  });
});
