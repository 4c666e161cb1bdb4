import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { LiveFollower } from '../../../test/forum/live-follower.ts';
import { PasskeyDevice } from '../../../test/forum/passkey-device.ts';
import { RememberedBrowser } from '../../../test/forum/remembered-browser.ts';
import { TusUpload } from '../../../test/forum/tus-upload.ts';
import { watchRoutes } from '../../../test/forum/watch-routes.ts';
import { type CommitFate, CommitProxy } from '../../../test/postgres/commit-proxy.ts';
import type { RecoveryCodes, SessionList } from '../../shared/account-settings.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { StoredFile } from '../../shared/images.ts';
import type { PasskeyCreation, PasskeyRequest } from '../../shared/passkeys.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import { createPasswordLink } from '../accounts/recovery/password-links.ts';
import { fullVariant, objectKey } from '../images/stores/storage-keys.ts';
import type { Tables } from './tables.ts';

interface World {
  /** The process whose connections to PostgreSQL pass through the proxy. */
  near: Forum;
  /** Another process on the same database and folder. */
  far: Forum;
  author: Person;
  channel: Channel;
}

interface Request {
  /** Sends it, again too, under the same key where the route takes one. */
  send: () => Promise<Response>;
  /** How often it has taken effect, read from the database. */
  times: () => Promise<number>;
}

interface Write {
  /** Matches the SQL of the transaction that the route commits. */
  statements: RegExp;
  prepare: (world: World) => Promise<Request>;
  /** Status when it succeeds. */
  status: number;
  /** Status of a retry after the first attempt took effect but its response was lost. */
  again: number;
  /** How often it has then taken effect; default 1. */
  timesAgain?: number;
}

const keyed = () => ({ 'idempotency-key': randomUUID() });

/** Every route that writes to the database. */
const writes: Record<string, Write> = {
  'POST /api/auth/sign-up': {
    statements: /insert into "accounts"/,
    status: 201,
    // The retry may come from someone else, so the response says that the account exists.
    again: 409,
    prepare: async ({ near, far }) => {
      const email = `${randomUUID()}@ejemplo.es`;
      const body = { name: 'Ana', email, password: 'x', img: assetRoutes.defaultAvatar };
      return {
        send: () => near.call('POST', apiRoutes.signUp, { body }),
        times: () => count(far, 'accounts', 'email', email),
      };
    },
  },
  'POST /api/auth/sign-in': {
    statements: /insert into "sessions"/,
    status: 200,
    again: 200,
    // The session whose token was never delivered stays unused until it expires.
    timesAgain: 2,
    prepare: async ({ near, far, author }) => {
      await far.call('POST', apiRoutes.signOut, { token: author.token });
      return {
        send: () => near.signIn(author.email, author.password),
        times: () => count(far, 'sessions', 'account_id', author.id),
      };
    },
  },
  'POST /api/auth/sign-out': {
    statements: /delete from "sessions"/,
    status: 204,
    // The first attempt has already ended the session.
    again: 401,
    prepare: async ({ near, far, author }) => ({
      send: () => near.call('POST', apiRoutes.signOut, { token: author.token }),
      times: async () => 1 - (await count(far, 'sessions', 'account_id', author.id)),
    }),
  },
  'POST /api/auth/resume': {
    statements: /insert into "sessions"/,
    status: 200,
    again: 200,
    // The session whose token was never delivered stays unused until it expires. The cookie stays the same.
    timesAgain: 2,
    prepare: async ({ near, far, author }) => {
      const browser = await remembered(near, author);
      const opened = await count(far, 'sessions', 'account_id', author.id);
      return {
        send: () => browser.resume(),
        times: async () => (await count(far, 'sessions', 'account_id', author.id)) - opened,
      };
    },
  },
  'DELETE /api/auth/resume': {
    statements: /delete from "devices"/,
    status: 204,
    again: 204,
    prepare: async ({ near, far, author }) => {
      const browser = await remembered(near, author);
      return {
        send: () => browser.forget(),
        // With the session that it opened.
        times: async () =>
          (3 -
            (await count(far, 'devices', 'account_id', author.id)) -
            (await count(far, 'sessions', 'account_id', author.id))) /
          2,
      };
    },
  },
  'DELETE /api/user/sessions': {
    statements: /delete from "sessions"/,
    status: 204,
    again: 204,
    prepare: async ({ near, far, author }) => {
      await remembered(near, author);
      return {
        send: () => near.call('DELETE', apiRoutes.sessions, { token: author.token }),
        times: async () => 2 - (await count(far, 'sessions', 'account_id', author.id)),
      };
    },
  },
  'DELETE /api/user/sessions/:id': {
    statements: /delete from "devices"/,
    status: 204,
    // The first attempt has already ended it.
    again: 404,
    prepare: async ({ near, far, author }) => {
      await remembered(near, author);
      const { token } = author;
      const { data } = await far.json<SessionList>('GET', apiRoutes.sessions, { token });
      const { id = '' } = data.find(({ isRemembered }) => isRemembered) ?? {};
      return {
        send: () => near.call('DELETE', apiRoutes.session(id), { token }),
        times: async () => 2 - (await count(far, 'sessions', 'account_id', author.id)),
      };
    },
  },
  'PATCH /api/user/me': {
    statements: /update "accounts"/,
    status: 200,
    // The name is then no change, although it could be changed once a day only.
    again: 200,
    prepare: async ({ near, far, author: { id, token, password } }) => {
      const body = { name: 'Otro nombre', email: `${id}@otro.es`, currentPassword: password };
      return {
        send: () => near.call('PATCH', apiRoutes.me, { token, body }),
        times: () => count(far, 'audit_log', 'subject', id).then((rows) => rows / 2),
      };
    },
  },
  'POST /api/auth/password': {
    statements: /delete from "password_links"/,
    status: 204,
    // The link is used up; the new password is set.
    again: 403,
    prepare: async ({ near, far, author }) => {
      const token = await createPasswordLink(far.deps.db, author.id, Date.now());
      const body = { token, password: 'otra' };
      return {
        send: () => near.call('POST', apiRoutes.setPassword, { body }),
        times: async () => Number((await far.signIn(author.email, 'otra')).ok),
      };
    },
  },
  'POST /api/auth/recover': {
    statements: /delete from "recovery_codes"/,
    status: 204,
    // The code is used up; the new password is set.
    again: 400,
    prepare: async ({ near, far, author }) => {
      const { token, password } = author;
      const { codes } = await far.json<RecoveryCodes>('POST', apiRoutes.recoveryCodes, {
        token,
        body: { currentPassword: password },
      });
      const [code] = codes;
      const body = { email: author.email, code, password: 'otra' };
      return {
        send: () => near.call('POST', apiRoutes.recover, { body }),
        times: async () => Number((await far.signIn(author.email, 'otra')).ok),
      };
    },
  },
  'POST /api/user/recovery-codes': {
    statements: /insert into "recovery_codes"/,
    status: 201,
    // Codes that were never delivered are replaced.
    again: 201,
    prepare: async ({ near, far, author: { id, token, password } }) => {
      const body = { currentPassword: password };
      return {
        send: () => near.call('POST', apiRoutes.recoveryCodes, { token, body }),
        times: async () => (await count(far, 'recovery_codes', 'account_id', id)) / 10,
      };
    },
  },
  'POST /api/user/recovery-codes/reminder': {
    statements: /"recovery_reminded_at_ms"/,
    status: 200,
    again: 200,
    prepare: async ({ near, far, author: { id, token } }) => ({
      send: () => near.call('POST', apiRoutes.recoveryReminder, { token }),
      times: async () => {
        const accounts = far.deps.db.selectFrom('accounts').selectAll().where('id', '=', id);
        const row = await accounts.executeTakeFirst();
        return Number(row?.recovery_reminded_at_ms !== null);
      },
    }),
  },
  'POST /api/user/passkeys/options': {
    statements: /insert into "passkey_challenges"/,
    status: 200,
    again: 200,
    // The challenge that was never delivered expires.
    timesAgain: 2,
    prepare: async ({ near, far, author: { id, token, password } }) => {
      const body = { currentPassword: password };
      return {
        send: () => near.call('POST', apiRoutes.passkeyOptions, { token, body }),
        times: () => count(far, 'passkey_challenges', 'account_id', id),
      };
    },
  },
  'POST /api/user/passkeys': {
    statements: /insert into "passkeys"/,
    status: 201,
    // The challenge is used up, and the passkey is listed.
    again: 400,
    prepare: async ({ near, far, author }) => {
      const { token } = author;
      const { credential } = await makePasskey(near, author);
      const body = { name: 'Una', credential };
      return {
        send: () => near.call('POST', apiRoutes.passkeys, { token, body }),
        times: () => count(far, 'passkeys', 'account_id', author.id),
      };
    },
  },
  'DELETE /api/user/passkeys/:id': {
    statements: /delete from "passkeys"/,
    status: 204,
    again: 404,
    prepare: async (world) => {
      const { near, far, author } = world;
      const id = (await withPasskey(world)).id.toString('base64url');
      return {
        send: () => near.call('DELETE', apiRoutes.passkey(id), { token: author.token }),
        times: async () => 1 - (await count(far, 'passkeys', 'account_id', author.id)),
      };
    },
  },
  'POST /api/auth/passkey/options': {
    statements: /insert into "passkey_challenges"/,
    status: 200,
    again: 200,
    timesAgain: 2,
    prepare: async ({ near, far }) => {
      const challenges = () => far.deps.db.selectFrom('passkey_challenges').selectAll().execute();
      const before = (await challenges()).length;
      return {
        send: () => near.call('POST', apiRoutes.passkeySignInOptions),
        times: async () => (await challenges()).length - before,
      };
    },
  },
  'POST /api/auth/passkey': {
    statements: /insert into "sessions"/,
    status: 200,
    // The challenge is used up; the session whose token was never delivered stays unused.
    again: 400,
    prepare: async (world) => {
      const { near, far, author } = world;
      const device = await withPasskey(world);
      await far.call('POST', apiRoutes.signOut, { token: author.token });
      const url = apiRoutes.passkeySignInOptions;
      const body = { credential: device.use(await near.json<PasskeyRequest>('POST', url)) };
      return {
        send: () => near.call('POST', apiRoutes.passkeySignIn, { body }),
        times: () => count(far, 'sessions', 'account_id', author.id),
      };
    },
  },
  'PUT /api/user/update-img': {
    statements: /update "accounts"/,
    status: 200,
    again: 200,
    prepare: async ({ near, far, author }) => {
      const body = { img: 'https://ejemplo.es/otra.png' };
      return {
        send: () => near.call('PUT', apiRoutes.updateImage, { token: author.token, body }),
        times: async () => {
          const me = await far.json<Person>('GET', apiRoutes.me, { token: author.token });
          return Number(me.img === body.img);
        },
      };
    },
  },
  'DELETE /api/user/me': {
    statements: /update "accounts" set "deletion_at_ms"/,
    status: 202,
    again: 202,
    prepare: async ({ near, far, author }) => {
      const body = { currentPassword: author.password, content: 'erase' };
      return {
        send: () => near.call('DELETE', apiRoutes.me, { token: author.token, body }),
        times: () => auditEntries(far, author, 'request-deletion'),
      };
    },
  },
  'POST /api/user/me/restore': {
    statements: /update "accounts" set "deletion_at_ms"/,
    status: 204,
    again: 204,
    prepare: async ({ near, far, author: { token, ...author } }) => {
      const body = { currentPassword: author.password, content: 'anonymous' };
      await far.json('DELETE', apiRoutes.me, { token, body });
      return {
        send: () => near.call('POST', apiRoutes.restoreMe, { token }),
        times: () => auditEntries(far, author, 'cancel-deletion'),
      };
    },
  },
  'PUT /api/user/reads': {
    statements: /insert into "reading_positions"/,
    status: 204,
    again: 204,
    prepare: async ({ near, far, author: { token }, channel }) => {
      const body = { channelId: channel._id, number: 0 };
      return {
        send: () => near.call('PUT', apiRoutes.reads, { token, body }),
        times: () => count(far, 'reading_positions', 'channel_id', channel._id),
      };
    },
  },
  'POST /api/channels': {
    statements: /insert into "channels"/,
    status: 201,
    again: 201,
    prepare: async ({ near, far, author: { token } }) => {
      const headers = keyed();
      const name = `Canal ${randomUUID()}`;
      const body = { name, description: 'Uno', cover: assetRoutes.defaultAvatar };
      return {
        send: () => near.call('POST', apiRoutes.channels, { token, headers, body }),
        times: () => count(far, 'channels', 'name', name),
      };
    },
  },
  'PATCH /api/channels/:id': {
    statements: /insert into "channel_versions"/,
    status: 200,
    again: 200,
    prepare: async (world) => {
      const { near, far, token, channelId } = await withComment(world);
      const headers = { 'if-match': '"1"' };
      const body = { name: `Canal ${randomUUID()}` };
      return {
        send: () => near.call('PATCH', apiRoutes.channel(channelId), { token, headers, body }),
        times: () => count(far, 'channel_versions', 'channel_id', channelId),
      };
    },
  },
  'DELETE /api/channels/:id': changeOfChannel('DELETE', apiRoutes.channel, {
    status: 204,
    isDone: ({ deleted_at_ms }) => deleted_at_ms !== null,
  }),
  'POST /api/channels/:id/restore': changeOfChannel('POST', apiRoutes.restoreChannel, {
    before: ['DELETE', apiRoutes.channel],
    isDone: ({ deleted_at_ms }) => deleted_at_ms === null,
  }),
  'POST /api/channels/:id/close': changeOfChannel('POST', apiRoutes.closeChannel, {
    isDone: ({ closed_at_ms }) => closed_at_ms !== null,
  }),
  'POST /api/channels/:id/reopen': changeOfChannel('POST', apiRoutes.reopenChannel, {
    before: ['POST', apiRoutes.closeChannel],
    isDone: ({ closed_at_ms }) => closed_at_ms === null,
  }),
  'PUT /api/channels/comment': {
    statements: /insert into "comments"/,
    status: 200,
    again: 200,
    prepare: async ({ near, far, author: { token }, channel }) => {
      const headers = keyed();
      const body = { id: channel._id, comment: 'Una sola vez' };
      return {
        send: () => near.call('PUT', apiRoutes.comment, { token, headers, body }),
        times: () => count(far, 'comments', 'channel_id', channel._id),
      };
    },
  },
  'PATCH /api/channels/:id/comments/:number': {
    statements: /insert into "comment_versions"/,
    status: 200,
    again: 200,
    prepare: async (world) => {
      const { near, far, token, channelId } = await withComment(world);
      const headers = { 'if-match': '"1"' };
      const body = { comment: 'Otra vez' };
      const url = apiRoutes.channelComment(channelId, 1);
      return {
        send: () => near.call('PATCH', url, { token, headers, body }),
        times: () => count(far, 'comment_versions', 'channel_id', channelId),
      };
    },
  },
  'DELETE /api/channels/:id/comments/:number': {
    statements: /insert into "deleted_comments"/,
    status: 204,
    again: 204,
    prepare: async (world) => {
      const { near, far, token, channelId } = await withComment(world);
      return {
        send: () => near.call('DELETE', apiRoutes.channelComment(channelId, 1), { token }),
        times: () => count(far, 'deleted_comments', 'channel_id', channelId),
      };
    },
  },
  'POST /api/channels/:id/comments/:number/restore': {
    statements: /delete from "deleted_comments"/,
    status: 200,
    again: 200,
    prepare: async (world) => {
      const { near, far, token, channelId } = await withComment(world);
      await far.json('DELETE', apiRoutes.channelComment(channelId, 1), { token });
      return {
        send: () => near.call('POST', apiRoutes.restoreComment(channelId, 1), { token }),
        times: () => count(far, 'comments', 'channel_id', channelId),
      };
    },
  },
  'PUT /api/channels/:id/comments/:number/thanks': {
    statements: /insert into "comment_thanks"/,
    status: 200,
    again: 200,
    prepare: async (world) => {
      const { near, far, channelId } = await withComment(world);
      const { token } = await far.person();
      return {
        send: () => near.call('PUT', apiRoutes.thanks(channelId, 1), { token }),
        times: () => count(far, 'comment_thanks', 'channel_id', channelId),
      };
    },
  },
  'DELETE /api/channels/:id/comments/:number/thanks': {
    statements: /delete from "comment_thanks"/,
    status: 200,
    again: 200,
    prepare: async (world) => {
      const { near, far, channelId } = await withComment(world);
      const { token } = await far.person();
      await far.json('PUT', apiRoutes.thanks(channelId, 1), { token });
      return {
        send: () => near.call('DELETE', apiRoutes.thanks(channelId, 1), { token }),
        times: async () => 1 - (await count(far, 'comment_thanks', 'channel_id', channelId)),
      };
    },
  },
  'POST /api/uploads': {
    statements: /insert into "images"/,
    status: 200,
    again: 200,
    prepare: async ({ near, far, author }) => {
      const image = await newImage();
      return {
        send: () => near.upload(author, image, { filename: `${author.id}.png` }),
        times: () => count(far, 'images', 'account_id', author.id),
      };
    },
  },
  'PATCH /api/uploads/:id': {
    statements: /insert into "images"/,
    status: 200,
    again: 200,
    prepare: async ({ near, far, author }) => {
      const image = await newImage();
      return {
        // Like the page, which starts a new upload when the last part gets no response.
        send: async () => {
          const filename = `${author.id}.png`;
          const upload = await TusUpload.begin(near.url, author, image.length, filename);
          return upload.send(near.url, 0, image);
        },
        times: () => count(far, 'images', 'account_id', author.id),
      };
    },
  },
};

/** Writing routes that do not change the database. */
const withoutRows: Record<string, (world: World) => Promise<Response>> = {
  'DELETE /api/uploads/:id': async ({ near, author }) => {
    const upload = await TusUpload.begin(near.url, author, 100);
    return upload.end(near.url);
  },
};

describe('a write whose COMMIT or its acknowledgement is lost', () => {
  let far: Forum;
  let near: Forum;
  /** A process whose cache is cleared before each read, so that it shows what the database holds. */
  let witness: Forum;
  let proxy: CommitProxy;
  let routes: string[];
  before(async () => {
    const settings = { PUBLIC_URL: 'https://foro.example' };
    far = await Forum.start('postgres', settings);
    witness = await far.another();
    proxy = await CommitProxy.start(far.deps.config.databaseUrl ?? '');
    const behindProxy = { ...settings, ...far.place, DATABASE_URL: proxy.url };
    ({ started: near, routes } = await watchRoutes(() => Forum.start('postgres', behindProxy)));
    await eventually(
      'both listen for changes',
      async () => near.deps.live.isListening && far.deps.live.isListening,
    );
  });
  after(async () => {
    await near?.stop();
    await proxy?.stop();
    await witness?.stop();
    await far?.stop();
  });

  /** Waits until both processes show what the database holds. */
  async function expectAgreement({ channel }: World): Promise<void> {
    const urls = [
      apiRoutes.channels,
      apiRoutes.channel(channel._id),
      apiRoutes.channelComments(channel._id),
      pageRoutes.home,
      pageRoutes.channel(channel._id),
    ];
    const read = async (forum: Forum, url: string) => (await forum.call('GET', url)).text();
    for (const url of urls) {
      await eventually(`${url} is up to date`, async () => {
        witness.deps.responses.clear();
        const expected = await read(witness, url);
        return (await read(near, url)) === expected && (await read(far, url)) === expected;
      });
    }
  }

  /** Expects that every image row has its stored object, and that both processes serve it. */
  async function expectBytes({ author }: World): Promise<void> {
    const rows = await far.deps.db
      .selectFrom('images')
      .select(['full_path', 'picture_id', 'size_bytes'])
      .where('account_id', '=', author.id)
      .execute();
    const keys = await storedObjectKeys(far);
    for (const { full_path, picture_id, size_bytes } of rows) {
      assert.ok(keys.includes(objectKey(picture_id, fullVariant)));
      for (const forum of [near, far]) {
        const file = await forum.json<StoredFile>('GET', apiRoutes.storedFile(full_path));
        const bytes = await forum.call('GET', file.downloadURL);
        assert.equal((await bytes.arrayBuffer()).byteLength, size_bytes);
      }
    }
  }

  async function newWorld(): Promise<World> {
    const author = await far.person();
    return { near, far, author, channel: await far.channel(author) };
  }

  test('these tests cover every route that writes', async () => {
    const { author } = await newWorld();
    const known = [...Object.keys(writes), ...Object.keys(withoutRows)];
    assert.deepEqual(
      known.filter((route) => !routes.includes(route)),
      [],
    );
    for (const route of new Set(routes)) {
      const [method = '', pattern = ''] = route.split(' ');
      if (/^(GET|HEAD|OPTIONS)$/.test(method) || known.includes(route)) continue;
      const response = await near.call(method, pattern.replace(/[:*]\w*/g, 'x'), author);
      assert.equal(response.status, 405, route);
    }
  });

  for (const [route, { statements, prepare, status, again, timesAgain = 1 }] of Object.entries(
    writes,
  )) {
    for (const fate of ['response lost', 'commit lost'] satisfies CommitFate[]) {
      test(`${route}, ${fate}: rows, images, lists, streams and a retry agree`, async (t) => {
        const world = await newWorld();
        const { channel } = world;
        const followers = await Promise.all(
          [near, far].map((forum) => LiveFollower.start(forum, channel._id)),
        );
        t.after(() => {
          for (const follower of followers) follower.stop();
        });
        const expectAnnounced = async () => {
          const ids = (await witness.allComments(channel._id)).map(({ id }) => id).join();
          await eventually('every comment is announced once', async () =>
            followers.every(({ seen }) => seen.join() === ids),
          );
        };
        const { send, times } = await prepare(world);
        await expectAgreement(world);
        assert.equal(await times(), 0);

        const carriedOut = proxy.next(statements, fate);
        const rejected = await send();
        assert.equal(rejected.headers.get('retry-after'), '5');
        await expectProblem(rejected, 503, 'unavailable');
        await carriedOut;
        const isCommitted = fate === 'response lost';
        assert.equal(await times(), isCommitted ? 1 : 0);
        await expectAgreement(world);
        await expectAnnounced();

        assert.equal((await send()).status, isCommitted ? again : status);
        assert.equal(await times(), isCommitted ? timesAgain : 1);
        await expectAgreement(world);
        await expectBytes(world);
        await far.comment(await far.person(), channel._id, 'El último');
        await expectAnnounced();
      });
    }
  }

  for (const [route, call] of Object.entries(withoutRows)) {
    test(`${route} commits nothing that could be lost`, async () => {
      const committed: string[] = [];
      proxy.decide = (sql) => {
        if (/insert into|update "|delete from/.test(sql)) committed.push(sql);
        return undefined;
      };
      assert.equal((await call(await newWorld())).status, 204);
      proxy.decide = () => undefined;
      assert.deepEqual(committed, []);
    });
  }
});

/** A credential for the forum that has not been sent to it yet. */
async function makePasskey(forum: Forum, { token, password }: Person) {
  const options = await forum.json<PasskeyCreation>('POST', apiRoutes.passkeyOptions, {
    token,
    body: { currentPassword: password },
  });
  const device = new PasskeyDevice(forum.deps.config.publicUrl ?? '');
  return { device, credential: device.create(options) };
}

async function withPasskey({ near, author }: World): Promise<PasskeyDevice> {
  const { device, credential } = await makePasskey(near, author);
  const body = { name: 'Una', credential };
  await near.json('POST', apiRoutes.passkeys, { token: author.token, body });
  return device;
}

async function remembered(forum: Forum, person: Person): Promise<RememberedBrowser> {
  const browser = new RememberedBrowser(forum);
  await browser.signIn(person);
  return browser;
}

/** A comment in a channel of its own, whose streams the tests do not follow. */
async function withComment({ near, far, author }: World) {
  const { token } = author;
  const { _id: channelId } = await far.channel(author);
  await far.comment(author, channelId, 'Una sola vez');
  return { near, far, token, channelId };
}

type ChannelUrl = (id: string) => string;

/** A call without a body that changes the row of a channel, and can be repeated. */
function changeOfChannel(
  method: string,
  url: ChannelUrl,
  {
    before,
    isDone,
    status = 200,
  }: {
    before?: [method: string, url: ChannelUrl];
    isDone: (row: Pick<Tables['channels'], 'deleted_at_ms' | 'closed_at_ms'>) => boolean;
    status?: number;
  },
): Write {
  return {
    statements: /update "channels" set "(hidden|closed)_at_ms"/,
    status,
    again: status,
    prepare: async (world) => {
      const { near, far, token, channelId } = await withComment(world);
      if (before) await far.json(before[0], before[1](channelId), { token });
      return {
        send: () => near.call(method, url(channelId), { token }),
        times: async () => {
          const row = await far.deps.db
            .selectFrom('channels')
            .select(['deleted_at_ms', 'closed_at_ms'])
            .where('id', '=', channelId)
            .executeTakeFirstOrThrow();
          return Number(isDone(row));
        },
      };
    },
  };
}

/** Each call makes an image with different bytes. */
async function newImage(): Promise<Buffer> {
  return quarters(40, 16).png().toBuffer();
}

async function auditEntries({ deps }: Forum, { id }: { id: string }, action: string) {
  const rows = await deps.db
    .selectFrom('audit_log')
    .select('subject')
    .where('subject', '=', id)
    .where('action', '=', action)
    .execute();
  return rows.length;
}

async function count(
  { deps }: Forum,
  table: keyof Tables,
  column: string,
  value: string,
): Promise<number> {
  const row = await deps.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(column as never, '=', value as never)
    .executeTakeFirstOrThrow();
  return row.count;
}
