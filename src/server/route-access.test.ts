import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../test/attacks/hostile-images.ts';
import { Forum, type Person, uploadMetadata } from '../../test/forum/forum.ts';
import { watchRoutes } from '../../test/forum/watch-routes.ts';
import type { Profile, User } from '../shared/accounts.ts';
import { apiRoutes } from '../shared/api-routes.ts';
import type { Channel } from '../shared/channels.ts';
import { commentId } from '../shared/comment-id.ts';
import type { Comment } from '../shared/comments.ts';
import { assetRoutes, pageRoutes } from '../shared/routes.ts';
import { decide } from './moderation/decisions/decide.ts';
import { setRole } from './moderation/members/roles.ts';

interface World {
  forum: Forum;
  owner: Person;
  channel: Channel;
  image: string;
  upload: string;
  /** An unrelated person, and a decision about them. */
  third: Person;
  decision: string;
}
interface Call {
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}
/** Expected statuses for four kinds of callers; `expectedOf` derives the others. */
type Statuses = [guest: number, madeUp: number, other: number, owner: number];
type Row = [...Statuses, call: (world: World) => Call];
/** Members, including silenced and suspended ones, get 404, and guests 401. */
type StaffRow = [moderator: number, admin: number, call: (world: World) => Call];

const url = (path: string) => () => ({ url: path });
const everyone = (call: Row[4], status = 200): Row => [status, status, status, status, call];
const tus = { 'tus-resumable': '1.0.0' };
const newUpload: Call = {
  url: apiRoutes.uploads,
  headers: {
    ...tus,
    'upload-length': '100',
    'upload-metadata': uploadMetadata({ filename: 'a.png', use: 'cover' }),
  },
};
const theUpload = ({ upload }: World) => ({ url: upload, headers: tus });
const part = (world: World) => ({
  ...theUpload(world),
  headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
  body: 'x',
});
const firstComment = ({ channel }: World) => ({ url: apiRoutes.channelComment(channel._id, 1) });
const firstThanks = ({ channel }: World) => ({ url: apiRoutes.thanks(channel._id, 1) });
const form = { name: 'Canal', description: 'Uno', cover: assetRoutes.defaultAvatar };

const fromOwnPage: Call = {
  url: apiRoutes.resume,
  headers: { 'sec-fetch-site': 'same-origin' },
};

// Passkeys do not work on an IP address.
const onLocalhost =
  (path: string, body?: unknown) =>
  ({ forum }: World) => ({ url: forum.url.replace('127.0.0.1', 'localhost') + path, body });
const passkeyOf = ({ id }: Person) => Buffer.from(id).toString('base64url');
const noCredential = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  response: { clientDataJSON: '', attestationObject: '', authenticatorData: '', signature: '' },
};

/** All routes. The bodies claim to come from the owner where possible. */
const table: Record<string, Row> = {
  'OPTIONS *': everyone(url('/api/channels'), 204),
  'GET /api/openapi.json': everyone(url('/api/openapi.json')),
  'GET /api/docs': everyone(url('/api/docs')),
  'GET /api/docs/*': everyone(url('/api/docs/static/index.css')),
  'POST /api/auth/sign-up': everyone(() => ({ url: apiRoutes.signUp, body: {} }), 400),
  'POST /api/auth/sign-in': everyone(url(apiRoutes.signIn), 401),
  'POST /api/auth/sign-out': [401, 401, 204, 204, url(apiRoutes.signOut)],
  'POST /api/auth/password': everyone(
    () => ({ url: apiRoutes.setPassword, body: { token: 'x', password: 'x' } }),
    403,
  ),
  'POST /api/auth/resume': everyone(() => ({ ...fromOwnPage, body: {} }), 401),
  'DELETE /api/auth/resume': everyone(() => fromOwnPage, 204),
  'OPTIONS /api/auth/resume': everyone(url(apiRoutes.resume), 204),
  'POST /api/auth/recover': everyone(
    () => ({
      url: apiRoutes.recover,
      body: { email: 'nadie@ejemplo.es', code: 'x', password: 'x' },
    }),
    400,
  ),
  'GET /api/user/recovery-codes': [401, 401, 200, 200, url(apiRoutes.recoveryCodes)],
  'POST /api/user/recovery-codes': [
    401,
    401,
    403,
    403,
    () => ({ url: apiRoutes.recoveryCodes, body: { currentPassword: 'otra' } }),
  ],
  'POST /api/user/recovery-codes/reminder': [401, 401, 200, 200, url(apiRoutes.recoveryReminder)],
  'GET /api/user/passkeys': [401, 401, 200, 200, onLocalhost(apiRoutes.passkeys)],
  'POST /api/user/passkeys': [
    401,
    401,
    400,
    400,
    onLocalhost(apiRoutes.passkeys, { name: 'Una', credential: noCredential }),
  ],
  'POST /api/user/passkeys/options': [
    401,
    401,
    403,
    403,
    onLocalhost(apiRoutes.passkeyOptions, { currentPassword: 'otra' }),
  ],
  'DELETE /api/user/passkeys/:id': [
    401,
    401,
    404,
    204,
    ({ owner }) => ({
      url: apiRoutes.passkey(passkeyOf(owner)),
    }),
  ],
  'POST /api/auth/passkey/options': everyone(onLocalhost(apiRoutes.passkeySignInOptions)),
  'POST /api/auth/passkey': everyone(
    onLocalhost(apiRoutes.passkeySignIn, { credential: noCredential }),
    400,
  ),
  'GET /api/user/me': [401, 401, 200, 200, url(apiRoutes.me)],
  'DELETE /api/user/me': [
    401,
    401,
    403,
    403,
    () => ({ url: apiRoutes.me, body: { currentPassword: 'otra', content: 'erase' } }),
  ],
  'GET /api/user/export': [401, 401, 200, 200, url(apiRoutes.export)],
  'POST /api/user/me/restore': [401, 401, 204, 204, url(apiRoutes.restoreMe)],
  'PATCH /api/user/me': [
    401,
    401,
    200,
    200,
    ({ owner }) => ({ url: apiRoutes.me, body: { currentPassword: owner.password } }),
  ],
  'GET /api/user/sessions': [401, 401, 200, 200, url(apiRoutes.sessions)],
  'DELETE /api/user/sessions': [401, 401, 204, 204, url(apiRoutes.sessions)],
  'DELETE /api/user/sessions/:id': [401, 401, 404, 404, url(apiRoutes.session('x'))],
  'PUT /api/user/update-img': [
    401,
    401,
    403,
    200,
    ({ owner: { id } }) => ({
      url: apiRoutes.updateImage,
      body: { id, img: assetRoutes.defaultAvatar },
    }),
  ],
  'PUT /api/user/reads': [
    401,
    401,
    204,
    204,
    ({ channel }) => ({ url: apiRoutes.reads, body: { channelId: channel._id, number: 0 } }),
  ],
  'GET /api/user/news': [401, 401, 200, 200, url(`${apiRoutes.news}?channels=x`)],
  'GET /api/user/notification-settings': [401, 401, 200, 200, url(apiRoutes.notificationSettings)],
  // This site sends no mail.
  'PATCH /api/user/notification-settings': [
    ...([401, 401, 403, 403] as const),
    () => ({ url: apiRoutes.notificationSettings, body: { email: { every: 'day' } } }),
  ],
  'POST /api/user/email/confirmation': [401, 401, 403, 403, url(apiRoutes.sendConfirmation)],
  'POST /api/user/email/confirm': everyone(
    () => ({ url: apiRoutes.confirmEmail, body: { token: 'x' } }),
    403,
  ),
  'GET /unsubscribe/:token': everyone(url('/unsubscribe/x'), 404),
  'POST /unsubscribe/:token': everyone(url('/unsubscribe/x'), 404),
  'GET /api/user/notifications': [401, 401, 200, 200, url(apiRoutes.notifications)],
  'PUT /api/user/notifications/seen': [
    401,
    401,
    204,
    204,
    () => ({ url: apiRoutes.notificationsSeen, body: { id: 0 } }),
  ],
  'PUT /api/channels/:id/level': [
    401,
    401,
    204,
    204,
    ({ channel }) => ({ url: apiRoutes.level(channel._id), body: { level: 'all' } }),
  ],
  'GET /api/users': [
    401,
    401,
    200,
    200,
    ({ channel }) => ({ url: `${apiRoutes.users}?channel=${channel._id}&prefix=lu` }),
  ],
  'GET /api/users/:id': everyone(({ owner }) => ({ url: apiRoutes.user(owner.id) })),
  'GET /api/users/:id/channels': everyone(({ owner }) => ({
    url: apiRoutes.userChannels(owner.id),
  })),
  'GET /api/users/:id/comments': everyone(({ owner }) => ({
    url: apiRoutes.userComments(owner.id),
  })),
  'GET /api/channels': everyone(url(apiRoutes.channels)),
  'GET /api/channels/:id': everyone(({ channel }) => ({ url: apiRoutes.channel(channel._id) })),
  'POST /api/channels': [
    401,
    401,
    403,
    201,
    ({ owner }) => ({ url: apiRoutes.channels, body: { ...form, autorId: owner.id } }),
  ],
  'PATCH /api/channels/:id': [
    401,
    401,
    403,
    200,
    ({ channel }) => ({
      url: apiRoutes.channel(channel._id),
      headers: { 'if-match': '"1"' },
      body: { name: 'Otro nombre' },
    }),
  ],
  'DELETE /api/channels/:id': [
    401,
    401,
    403,
    204,
    ({ channel }) => ({ url: apiRoutes.channel(channel._id) }),
  ],
  'POST /api/channels/:id/restore': [
    401,
    401,
    404,
    200,
    ({ channel }) => ({ url: apiRoutes.restoreChannel(channel._id) }),
  ],
  'POST /api/channels/:id/close': [
    401,
    401,
    403,
    200,
    ({ channel }) => ({ url: apiRoutes.closeChannel(channel._id) }),
  ],
  'POST /api/channels/:id/reopen': [
    401,
    401,
    403,
    200,
    ({ channel }) => ({ url: apiRoutes.reopenChannel(channel._id) }),
  ],
  'GET /api/channels/:id/comments': everyone(({ channel }) => ({
    url: apiRoutes.channelComments(channel._id),
  })),
  'PUT /api/channels/comment': [
    401,
    401,
    403,
    200,
    ({ owner, channel }) => ({
      url: apiRoutes.comment,
      body: { id: channel._id, comment: 'Hola', autorId: owner.id },
    }),
  ],
  'PATCH /api/channels/:id/comments/:number': [
    401,
    401,
    403,
    200,
    (world) => ({
      ...firstComment(world),
      headers: { 'if-match': '"1"' },
      body: { comment: 'Hola a todos' },
    }),
  ],
  'DELETE /api/channels/:id/comments/:number': [401, 401, 403, 204, firstComment],
  'GET /api/channels/:id/comments/:number/replies': everyone(({ channel }) => ({
    url: apiRoutes.replies(channel._id, 1),
  })),
  'POST /api/channels/:id/comments/:number/restore': [
    401,
    401,
    404,
    200,
    (world) => ({ url: `${firstComment(world).url}/restore` }),
  ],
  'GET /api/channels/:id/comments/:number/thanks': everyone(({ channel }) => ({
    url: apiRoutes.thanks(channel._id, 1),
  })),
  'PUT /api/channels/:id/comments/:number/thanks': [401, 401, 200, 403, firstThanks],
  'DELETE /api/channels/:id/comments/:number/thanks': [401, 401, 200, 403, firstThanks],
  'GET /api/channels/:id/thanks': [
    401,
    401,
    200,
    200,
    ({ channel }) => ({ url: `${apiRoutes.thanked(channel._id)}?from=1&to=9` }),
  ],
  'GET /api/user/trash': [401, 401, 200, 200, url(apiRoutes.trash)],
  'GET /api/channels/:id/live': everyone(({ channel }) => ({
    url: apiRoutes.channelLive(channel._id),
  })),
  'GET /api/files/images/:name': everyone(({ image }) => ({
    url: apiRoutes.storedFile(image),
  })),
  'GET /files/images/:name': everyone(({ image }) => ({ url: assetRoutes.file(image) })),
  'GET /files/images/:name/:variant': everyone(({ image }) => ({
    url: assetRoutes.variant(assetRoutes.file(image), 'card.jpg'),
  })),
  'POST /api/uploads': [401, 401, 201, 201, () => newUpload],
  'HEAD /api/uploads/:id': [401, 401, 404, 200, theUpload],
  'PATCH /api/uploads/:id': [401, 401, 404, 204, part],
  'DELETE /api/uploads/:id': [401, 401, 404, 204, theUpload],
  'GET /api/search': everyone(url(`${apiRoutes.search}?q=hola`)),
  'POST /api/reports': [
    400,
    401,
    400,
    400,
    ({ channel }) => ({
      url: apiRoutes.reports,
      body: { kind: 'channel', id: channel._id, reason: 'x' },
    }),
  ],
  'GET /api/reports/:receipt': everyone(url(apiRoutes.report('x')), 404),
  'GET /api/user/reports': [401, 401, 200, 200, url(apiRoutes.ownReports)],
  'GET /api/user/decisions': [401, 401, 200, 200, url(apiRoutes.ownDecisions)],
  'POST /api/user/decisions/:id/appeal': [
    401,
    401,
    404,
    404,
    ({ decision }) => ({ url: apiRoutes.appeal(decision), body: { text: 'No es verdad' } }),
  ],
  'GET /api/log': everyone(url(apiRoutes.log)),
  'GET /log': everyone(url(pageRoutes.log)),
  'GET /api/rules': everyone(url(apiRoutes.rules)),
  'GET /rules': everyone(url(pageRoutes.rules)),
  'GET /api/user/pending': [401, 401, 200, 200, url(apiRoutes.pendingPosts)],
  'DELETE /api/user/pending/:id': [401, 401, 404, 404, url(apiRoutes.pendingPost('x'))],
  'GET /api/invitations': [401, 401, 200, 200, url(apiRoutes.invitations)],
  'POST /api/invitations': [401, 401, 201, 201, () => ({ url: apiRoutes.invitations, body: {} })],
  'DELETE /api/invitations/:id': [401, 401, 404, 404, url(apiRoutes.invitation('x'))],
  'GET /healthz': everyone(url('/healthz')),
  'GET /readyz': everyone(url('/readyz')),
  'GET /': everyone(url(pageRoutes.home)),
  'GET /channel/:id': everyone(({ channel }) => ({ url: pageRoutes.channel(channel._id) })),
  'GET /user/:id': everyone(({ owner }) => ({ url: pageRoutes.user(owner.id) })),
  'GET /search': everyone(url(`${pageRoutes.search}?q=hola`)),
  'GET /password': everyone(url(pageRoutes.password)),
  'GET /confirm': everyone(url(pageRoutes.confirm)),
  'GET /notifications': everyone(url(pageRoutes.notifications)),
  'GET /settings': everyone(url(pageRoutes.settings)),
  'GET /recover': everyone(url(pageRoutes.recover)),
  'GET /login': everyone(url(pageRoutes.login)),
  'GET /moderation': everyone(url(pageRoutes.moderation)),
  'GET /moderation/members': everyone(url(pageRoutes.members)),
  'GET /moderation/settings': everyone(url(pageRoutes.siteSettings)),
  'GET /register': everyone(url(pageRoutes.register)),
  'GET /create': everyone(url(pageRoutes.create)),
  'GET /profile': everyone(url(pageRoutes.profile)),
  'GET /azulejo/:seed.svg': everyone(url(assetRoutes.azulejo('a'))),
  'GET /azulejo/:seed.png': everyone(url(assetRoutes.azulejoImage('a'))),
};
/** Routes that publish something: silenced people get 403. */
const writing = [
  'PUT /api/user/update-img',
  'POST /api/channels',
  'PATCH /api/channels/:id',
  'POST /api/channels/:id/restore',
  'POST /api/channels/:id/close',
  'POST /api/channels/:id/reopen',
  'PUT /api/channels/comment',
  'PATCH /api/channels/:id/comments/:number',
  'POST /api/channels/:id/comments/:number/restore',
  'PUT /api/channels/:id/comments/:number/thanks',
  'POST /api/invitations',
  'POST /api/uploads',
  'HEAD /api/uploads/:id',
  'PATCH /api/uploads/:id',
  'DELETE /api/uploads/:id',
];
/** Routes with a session that suspended people may also call; all others respond 403. */
const leaving = [
  'POST /api/auth/sign-out',
  'GET /api/user/me',
  'PATCH /api/user/me',
  'DELETE /api/user/me',
  'POST /api/user/me/restore',
  'GET /api/user/export',
  'GET /api/user/sessions',
  'DELETE /api/user/sessions',
  'DELETE /api/user/sessions/:id',
  'GET /api/user/reports',
  'GET /api/user/decisions',
  'POST /api/user/decisions/:id/appeal',
  'GET /api/user/news',
  'GET /api/user/notification-settings',
  'PATCH /api/user/notification-settings',
  'POST /api/user/email/confirmation',
];
const staffTable: Record<string, StaffRow> = {
  'POST /api/moderation/decisions': [
    409,
    409,
    ({ channel }) => ({
      url: apiRoutes.decisions,
      body: { subject: { kind: 'channel', id: channel._id }, action: 'dismiss' },
    }),
  ],
  'GET /api/moderation/decisions/:id': [
    200,
    200,
    ({ decision }) => ({ url: apiRoutes.decision(decision) }),
  ],
  'POST /api/moderation/decisions/:id/undo': [
    200,
    409,
    ({ decision }) => ({
      url: apiRoutes.undoDecision(decision),
      body: { reason: 'Me equivoqué' },
    }),
  ],
  'GET /api/moderation/queue': [200, 200, url(apiRoutes.queue)],
  'GET /api/channels/:id/comments/:number/versions': [
    200,
    200,
    ({ channel }) => ({ url: apiRoutes.versions(channel._id, 1) }),
  ],
  'GET /api/moderation/new-accounts': [
    200,
    200,
    url(`${apiRoutes.newAccounts}?from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z`),
  ],
  'GET /api/moderation/members': [200, 200, url(apiRoutes.members)],
  'GET /api/moderation/settings': [200, 200, url(apiRoutes.siteSettings)],
  'PATCH /api/moderation/settings': [
    403,
    200,
    () => ({ url: apiRoutes.siteSettings, headers: { 'if-match': '"0"' }, body: {} }),
  ],
  'PUT /api/users/:id/role': [
    403,
    204,
    ({ third }) => ({ url: apiRoutes.userRole(third.id), body: { role: 'member' } }),
  ],
  'POST /api/users/:id/password-link': [
    403,
    201,
    ({ third }) => ({ url: apiRoutes.passwordLink(third.id) }),
  ],
};

/** Routes whose responses differ each time. */
const varying = ['POST /api/auth/passkey/options', 'GET /api/channels/:id/live'];

const callers = [
  'guest',
  'madeUp',
  'other',
  'silenced',
  'suspended',
  'moderator',
  'admin',
  'owner',
] as const;
type Caller = (typeof callers)[number];

/** Expected statuses of each caller, in the order of the calls: the owner's call changes the outcome of later ones. */
function expectedOf(route: string): Record<Caller, number> {
  const [moderator, admin] = staffRowOf(route) ?? [];
  if (moderator !== undefined && admin !== undefined) {
    const members = { other: 404, silenced: 404, suspended: 404, owner: 404 };
    return { guest: 401, madeUp: 401, ...members, moderator, admin };
  }
  const [guest, madeUp, other, owner] = rowOf(route);
  const takesToken = madeUp === 401 && other !== 401;
  const isIn = (routes: string[]) =>
    routes.includes(route) || routes.includes(route.replace('HEAD', 'GET'));
  return {
    ...{ guest, madeUp, other, owner, moderator: other, admin: other },
    silenced: isIn(writing) ? 403 : other,
    suspended: takesToken && !isIn(leaving) ? 403 : other,
  };
}

function staffRowOf(route: string): StaffRow | undefined {
  const [method, pattern] = route.split(' ');
  return staffTable[route] ?? (method === 'HEAD' ? staffTable[`GET ${pattern}`] : undefined);
}

/** Expected statuses, also for routes without a row: build files and HEAD. */
function rowOf(route: string): Row {
  const [method = '', pattern = ''] = route.split(' ');
  if (route in table) return table[route] as Row;
  if (method === 'HEAD' && `GET ${pattern}` in table) return table[`GET ${pattern}`] as Row;
  if (/^(GET|HEAD) \/(assets\/)?[\w-]+\.(js|css|svg|png|txt)$/.test(route)) {
    return everyone(url(pattern));
  }
  return assert.fail(`the table lacks ${route}`);
}

describe('who may call what', () => {
  let forum: Forum;
  let routes: string[];
  let other: Person;
  let image: string;
  let people: Record<'silenced' | 'suspended' | 'moderator' | 'admin', Person>;
  before(async () => {
    ({ started: forum, routes } = await watchRoutes(() =>
      Forum.start('sqlite', { CORS_ORIGINS: 'https://amigo.example' }),
    ));
    other = await forum.person('Otra');
    const file = await forum.upload(other, await quarters(40, 16).png().toBuffer());
    image = ((await file.json()) as { fullPath: string }).fullPath;
    people = {
      silenced: await forum.person('Callada'),
      suspended: await forum.person('Suspendida'),
      moderator: await forum.person('Eva'),
      admin: await forum.person('Ada'),
    };
    await restrict('silence', people.silenced);
    await restrict('suspend', people.suspended);
    const operator = { ...forum.services, actorName: 'ada', note: '' };
    await setRole(operator, people.moderator.id, 'moderator');
    await setRole(operator, people.admin.id, 'admin');
  });
  after(() => forum.stop());

  function restrict(action: 'silence' | 'suspend', { id }: Person): Promise<string> {
    return decide(
      { ...forum.services, actorName: 'ada', note: '' },
      {
        ...{ subject: { kind: 'user', id }, action, category: 'other', reason: 'Insultos.' },
        ...{ days: 7, version: undefined },
      },
    );
  }

  async function newWorld(): Promise<World> {
    const owner = await forum.person();
    const channel = await forum.channel(owner);
    const passkey = { id: passkeyOf(owner), account_id: owner.id, public_key: '', name: 'Una' };
    await forum.services.db
      .insertInto('passkeys')
      .values({ ...passkey, counter: 0, transports: '[]', created_at_ms: 0, last_used_at_ms: null })
      .execute();
    const created = await forum.call('POST', newUpload.url, {
      token: owner.token,
      headers: newUpload.headers ?? {},
    });
    const third = await forum.person();
    const decision = await restrict('silence', third);
    const upload = created.headers.get('location') ?? '';
    return { forum, owner, channel, image, upload, third, decision };
  }

  async function signInAgain({ email, password }: Person): Promise<{ token: string }> {
    return (await (await forum.signIn(email, password)).json()) as { token: string };
  }

  test('the table has no row for a removed route', () => {
    assert.deepEqual(
      [...Object.keys(table), ...Object.keys(staffTable), ...writing, ...leaving].filter(
        (row) => !routes.includes(row),
      ),
      [],
    );
  });

  test('every route responds to each caller as in the table', async () => {
    const world = await newWorld();
    await forum.comment(world.owner, world.channel._id, 'Hola');
    for (const route of routes) {
      const [method = ''] = route.split(' ');
      const expected = expectedOf(route);
      const call = staffRowOf(route)?.[2] ?? rowOf(route)[4];
      const { url, ...options } = call(world);
      // Signing out ends the session used, so each call needs a new one.
      const session = async (person: Person) =>
        route.endsWith('/sign-out') ? signInAgain(person) : { token: person.token };
      const bodies = new Set<string>();
      for (const who of callers) {
        const asked =
          who === 'guest'
            ? {}
            : who === 'madeUp'
              ? { token: 'a'.repeat(43) }
              : await session({ ...people, other, owner: world.owner }[who]);
        const answer = await forum.call(method, url, { ...options, ...asked });
        assert.equal(answer.status, expected[who], `${route} by ${who}`);
        const isPersonal = expected.guest === 401 && method !== 'OPTIONS';
        const cache = answer.headers.get('cache-control');
        if (answer.status >= 400) assert.equal(cache, 'no-store', route);
        else if (isPersonal) assert.equal(cache, 'private, no-store', route);
        if (varying.includes(route)) await answer.body?.cancel();
        else if (answer.ok) bodies.add(await answer.text());
      }
      if (expected.guest === 200) assert.ok(bodies.size <= 1, `${route} is the same for everyone`);
    }
  });

  test('unknown fields of a body change nothing', async () => {
    const { owner, channel } = await newWorld();
    const { token } = other;
    const mine = await forum.channel(other);
    const extra = {
      _id: channel._id,
      isAdmin: true,
      createdAt: '2001-01-01T00:00:00.000Z',
      commentCount: 99,
      autor: owner.name,
      autorImg: 'https://ejemplo.es/otra.png',
      account_id: owner.id,
      password_hash: 'x',
    };
    const made = await forum.json<Channel>('POST', apiRoutes.channels, {
      token,
      body: { ...extra, ...form, id: channel._id, comments: [{ comment: 'x' }] },
    });
    assert.notEqual(made._id, channel._id);
    assert.deepEqual(
      [made.autor, made.autorId, made.commentCount, made.comments.length],
      [other.name, other.id, 0, 0],
    );
    assert.ok(made.createdAt > channel.createdAt);

    const comment = await forum.json<Comment>('PUT', apiRoutes.comment, {
      token,
      body: { ...extra, id: mine._id, channelId: channel._id, number: 7, comment: 'Hola' },
    });
    assert.deepEqual(
      [comment.id, comment.channelId, comment.autor, comment.autorId],
      [commentId(mine._id, 1), mine._id, other.name, other.id],
    );
    assert.ok(comment.createdAt > made.createdAt);

    const user = await forum.json<User>('POST', apiRoutes.signUp, {
      body: { ...extra, id: owner.id, name: 'Nueva', email: 'nueva@ejemplo.es', password: 'x' },
    });
    assert.notEqual(user.id, owner.id);
    const changed = await forum.json<User>('PUT', apiRoutes.updateImage, {
      token,
      body: { ...extra, id: other.id, name: 'Falsa', img: assetRoutes.defaultAvatar },
    });
    assert.deepEqual(
      [changed.id, changed.name, changed.email],
      [other.id, other.name, other.email],
    );
    const untouched = await forum.json<Channel>('GET', apiRoutes.channel(channel._id));
    assert.deepEqual(untouched, channel);
    const me = await forum.json<Profile>('GET', apiRoutes.me, { token: owner.token });
    assert.deepEqual([me.name, me.img, me.channelCount], [owner.name, owner.img, 1]);
  });
});
