import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { LiveFollower } from '../../../test/forum/live-follower.ts';
import { TusUpload } from '../../../test/forum/tus-upload.ts';
import { newPassword, prepareWrite } from '../../../test/forum/write-requests.ts';
import { CommitProxy } from '../../../test/postgres/commit-proxy.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { StoredFile } from '../../shared/images.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { fullVariant, objectKey } from '../images/stores/storage-keys.ts';
import { routeTable } from '../route-table.ts';

/** The process whose connections to PostgreSQL pass through the proxy. */
let near: Forum;
/** Another process on the same database and folder. */
let far: Forum;
/** A process whose cache is cleared before each read, so that its responses show the database. */
let witness: Forum;
/** A person who does not own the channels. */
let guest: Person;
let proxy: CommitProxy;

const closed = 'channels where closed_at_ms is not null';
const deleted = 'channels where deleted_at_ms is not null';
const undone = 'decisions';
const revoked = 'invitations where revoked_at_ms is not null';
const claimedWords = 'imported_people where claimed_by is not null';
const deletedComments = 'comments where deleted_at_ms is not null';
const reminded = 'accounts where recovery_reminded_at_ms is not null';
const reminders = 'announcements where reminded_at_ms is not null';
const signsInAnew = async ({ email }: Person) => (await far.signIn(email, newPassword)).ok;
const withOtherImage = "accounts where img = 'https://ejemplo.es/otra.png'";

/**
 * Every route that writes to the database.
 * - `stored`: the rows that show the effect, as in SQL after `select count(*) from`; a `+` adds counts.
 * - `changes`: how many rows the request adds, and how many the request and its retry add together.
 * - `statusOfRetry`: the status of a retry after the first request took effect.
 * - `isDone`: checks the effect where the number of rows is not enough.
 */
const writes: [
  route: string,
  stored: string,
  changes: [once: number, repeated: number],
  statusOfRetry: number,
  isDone?: (author: Person) => Promise<boolean>,
][] = [
  // The retry may come from another person, so the response says that the account exists.
  ['POST /api/auth/sign-up', 'accounts', [1, 1], 409],
  // A session whose token was never delivered stays unused until it expires.
  ['POST /api/auth/sign-in', 'sessions', [1, 2], 200],
  ['POST /api/auth/resume', 'sessions', [1, 2], 200],
  // The first attempt used up the challenge.
  ['POST /api/auth/passkey', 'sessions', [1, 1], 400],
  // The first attempt has already ended the session.
  ['POST /api/auth/sign-out', 'sessions', [-1, -1], 401],
  ['DELETE /api/auth/resume', 'devices + sessions', [-2, -2], 204],
  ['DELETE /api/user/sessions', 'devices + sessions', [-2, -2], 204],
  ['DELETE /api/user/sessions/:id', 'devices + sessions', [-2, -2], 404],
  ['PATCH /api/user/me', 'audit_log', [2, 2], 200],
  // The link or code is used up, and a new password deletes all codes.
  ['POST /api/auth/password', 'password_links', [-1, -1], 403, signsInAnew],
  ['POST /api/auth/recover', 'recovery_codes', [-10, -10], 400, signsInAnew],
  // Codes that were never delivered are replaced.
  ['POST /api/user/recovery-codes', 'recovery_codes', [10, 10], 201],
  ['POST /api/user/recovery-codes/reminder', reminded, [1, 1], 200],
  // A challenge that was never delivered expires.
  ['POST /api/user/passkeys/options', 'passkey_challenges', [1, 2], 200],
  ['POST /api/auth/passkey/options', 'passkey_challenges', [1, 2], 200],
  // The first attempt used up the challenge, and the passkey is listed.
  ['POST /api/user/passkeys', 'passkeys', [1, 1], 400],
  ['DELETE /api/user/passkeys/:id', 'passkeys', [-1, -1], 404],
  ['PATCH /api/user/notification-settings', "accounts where mail_every = 'week'", [1, 1], 200],
  ['POST /api/user/push', 'push_subscriptions', [1, 1], 204],
  ['DELETE /api/user/push', 'push_subscriptions', [-1, -1], 204],
  ['POST /api/user/email/confirmation', 'mails', [1, 2], 204],
  // The first attempt used up the link, and the address is confirmed.
  ['POST /api/user/email/confirm', 'email_confirmations', [-1, -1], 403],
  ['POST /unsubscribe/:token', "accounts where mail_every = 'never'", [1, 1], 200],
  ['PUT /api/user/update-img', withOtherImage, [1, 1], 200],
  ['DELETE /api/user/me', 'audit_log', [1, 1], 202],
  ['POST /api/user/me/restore', 'audit_log', [1, 1], 204],
  ['PUT /api/user/reads', 'reading_positions', [1, 1], 204],
  ['PUT /api/user/notifications/seen', 'accounts where notifications_seen_id > 0', [1, 1], 204],
  ['PUT /api/channels/:id/level', 'reading_positions', [1, 1], 204],
  ['POST /api/channels', 'channels', [1, 1], 201],
  ['PATCH /api/channels/:id', 'channel_versions', [1, 1], 200],
  ['DELETE /api/channels/:id', deleted, [1, 1], 204],
  ['POST /api/channels/:id/restore', deleted, [-1, -1], 200],
  ['POST /api/channels/:id/close', closed, [1, 1], 200],
  ['POST /api/channels/:id/reopen', closed, [-1, -1], 200],
  ['PUT /api/channels/comment', 'comments', [1, 1], 200],
  ['PATCH /api/channels/:id/comments/:number', 'comment_versions', [1, 1], 200],
  ['DELETE /api/channels/:id/comments/:number', deletedComments, [1, 1], 204],
  ['POST /api/channels/:id/comments/:number/restore', deletedComments, [-1, -1], 200],
  ['PUT /api/channels/:id/comments/:number/thanks', 'comment_thanks', [1, 1], 200],
  [
    'PATCH /api/channels/:id/comments/:number/event',
    'comment_events where revision = 2',
    [1, 1],
    200,
  ],
  ['PUT /api/channels/:id/comments/:number/rsvp', 'event_rsvps', [1, 1], 200],
  ['PUT /api/channels/:id/comments/:number/votes', 'poll_votes', [1, 1], 200],
  ['PUT /api/channels/:id/comments/:number/acknowledgement', 'acknowledgements', [1, 1], 204],
  // The rest has been reminded.
  ['POST /api/channels/:id/comments/:number/reminder', reminders, [1, 1], 409],
  ['POST /rsvp/:token', 'event_rsvps', [1, 1], 200],
  ['POST /api/user/calendar', 'accounts where calendar_renewals > 0', [1, 1], 200],
  ['DELETE /api/channels/:id/comments/:number/thanks', 'comment_thanks', [-1, -1], 200],
  ['POST /api/reports', 'reports', [1, 1], 202],
  ['POST /api/moderation/decisions', 'decisions', [1, 1], 409],
  ['POST /api/moderation/decisions/:id/undo', undone, [1, 1], 409],
  ['POST /api/user/decisions/:id/appeal', 'appeals', [1, 1], 201],
  ['PATCH /api/moderation/settings', 'site_settings', [1, 1], 200],
  ['POST /api/invitations', 'invitations', [1, 2], 201],
  ['POST /api/moderation/mailed-invitations', 'mailed_invitations + mails', [2, 2], 200],
  ['POST /api/moderation/mailed-invitations/:id/again', 'mails', [1, 1], 409],
  ['DELETE /api/moderation/import', "imports where state = 'cancelled'", [1, 1], 204],
  // The first attempt marked the channel, which housekeeping erases.
  ['DELETE /api/moderation/import/:id', 'audit_log', [1, 1], 404],
  ['POST /api/moderation/import/:id/people/:person/link', 'audit_log', [1, 2], 201],
  ['DELETE /api/moderation/import/:id/people/:person/claim', claimedWords, [-1, -1], 404],
  ['POST /api/user/claims', claimedWords, [1, 1], 204],
  ['DELETE /api/user/claims/:id', claimedWords, [-1, -1], 404],
  ['POST /withdraw/:token', "accounts where deletion_content = 'erase'", [1, 1], 200],
  ['DELETE /api/user/pending/:id', 'pending_posts', [-1, -1], 404],
  ['DELETE /api/invitations/:id', revoked, [1, 1], 204],
  ['PUT /api/users/:id/role', "accounts where role = 'moderator'", [1, 1], 204],
  // A link that was never delivered is replaced.
  ['POST /api/users/:id/password-link', 'password_links', [1, 1], 201],
  ['POST /api/uploads', 'images', [1, 1], 200],
  ['PATCH /api/uploads/:id', 'images', [1, 1], 200],
];
/** Routes whose effect other people can see; the others write to tables that no list or stream reads. */
const changesPublicData = /\/api\/(channels|uploads|moderation|user\/(me|update-img))/;
const withoutRows = 'DELETE /api/uploads/:id';
const readsOnly = 'POST /api/auth/invitation';
/** Goes on in the background, and when it is repeated (moving-in/interrupted-import.test.ts). */
const inBackground = 'POST /api/moderation/import';

describe('a write whose COMMIT or its acknowledgement is lost', () => {
  before(async () => {
    // No mail server listens at this address, so mails stay in the queue.
    const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'foro@foro.example' };
    const settings = { PUBLIC_URL: 'https://foro.example', ...mail };
    far = await Forum.start('postgres', settings);
    witness = await far.another();
    proxy = await CommitProxy.start(far.services.config.databaseUrl ?? '');
    const behindProxy = { ...settings, ...far.dataSettings, DATABASE_URL: proxy.url };
    near = await Forum.start('postgres', behindProxy);
    guest = await far.person();
    await eventually(
      'both listen for changes',
      async () => near.services.live.isListening && far.services.live.isListening,
    );
  });
  after(async () => {
    await near?.stop();
    await proxy?.stop();
    await witness?.stop();
    await far?.stop();
  });

  test('the list has every route that writes', () => {
    const listed = [...writes.map(([route]) => route), withoutRows, readsOnly, inBackground];
    const writing = Object.keys(routeTable).filter((route) => !/^(GET|HEAD|OPTIONS) /.test(route));
    assert.deepEqual(listed.sort(), writing.sort());
  });

  for (const [route, stored, [once, repeated], statusOfRetry, isDone] of writes) {
    test(`${route}: rows, images, lists, streams and a retry agree`, async (t) => {
      const author = await far.person();
      const channel = await far.channel(author);
      const world = { near, far, author, channel, guest };
      const [send, ...followers] = await Promise.all([
        prepareWrite(route, world),
        LiveFollower.start(near, channel._id),
        LiveFollower.start(far, channel._id),
      ]);
      t.after(() => {
        for (const follower of followers) follower.stop();
      });
      const before = await count(stored);
      const expectEffect = async (change: number) => {
        assert.equal((await count(stored)) - before, change);
        if (isDone) assert.equal(await isDone(author), change !== 0);
        if (!changesPublicData.test(route)) return;
        await expectAgreement(channel);
        await expectAnnounced(channel, followers);
      };

      const [table] = stored.split(' ');
      const kind = once > 0 ? 'insert into' : 'delete from';
      const verb = stored.includes(' where ') ? 'update' : kind;
      const statements = new RegExp(`${verb} "${table}"`);
      for (const [loss, change] of [
        ['commit lost', 0],
        ['response lost', once],
      ] as const) {
        const carriedOut = proxy.next(statements, loss);
        const rejected = await send();
        assert.equal(rejected.headers.get('retry-after'), '5');
        await expectProblem(rejected, 503, 'unavailable');
        await carriedOut;
        await expectEffect(change);
      }

      assert.equal((await send()).status, statusOfRetry);
      await expectEffect(repeated);
      await expectBytes(author);
      await far.comment(guest, channel._id, 'El último');
      await expectAnnounced(channel, followers);
    });
  }

  test(`${withoutRows} does not write to the database`, async () => {
    const upload = await TusUpload.begin(near.url, guest, 100);
    const committed: string[] = [];
    proxy.decide = (statements) => {
      if (/insert into|update "|delete from/.test(statements)) committed.push(statements);
      return undefined;
    };
    assert.equal((await upload.end(near.url)).status, 204);
    proxy.decide = () => undefined;
    assert.deepEqual(committed, []);
  });
});

async function count(stored: string): Promise<number> {
  const counts = stored.split(' + ').map((rows) => `(select count(*) from ${rows})`);
  const query = sql<{ count: number }>`select ${sql.raw(counts.join(' + '))} as count`;
  return (await query.execute(far.services.db)).rows[0]?.count ?? Number.NaN;
}

/** Waits until both processes return the state of the database. */
async function expectAgreement({ _id }: Channel): Promise<void> {
  const urls = [apiRoutes.channels, apiRoutes.channelComments(_id), pageRoutes.channel(_id)];
  const readAll = async (forum: Forum) =>
    Promise.all(urls.map(async (url) => (await forum.call('GET', url)).text()));
  await eventually('lists and pages are up to date', async () => {
    const [first, second] = await Promise.all([near, far].map(readAll));
    // Without its cache the witness asks the database for everything, so it is read only once the others agree.
    if (!isDeepStrictEqual(first, second)) return false;
    // The witness's cached settings change with the announcement.
    witness.services.responses.clear();
    return isDeepStrictEqual(first, await readAll(witness));
  });
}

async function expectAnnounced({ _id }: Channel, followers: LiveFollower[]): Promise<void> {
  witness.services.responses.clear();
  const ids = (await witness.allComments(_id)).map(({ id }) => id).join();
  await eventually('every comment is announced once', async () =>
    followers.every(({ seen }) => seen.join() === ids),
  );
}

/** Expects that every image row has its stored object, and that both processes serve it. */
async function expectBytes({ id }: Person): Promise<void> {
  const images = far.services.db.selectFrom('images').selectAll().where('account_id', '=', id);
  const keys = await storedObjectKeys(far);
  for (const { full_path, image_id, size_bytes } of await images.execute()) {
    assert.ok(keys.includes(objectKey(image_id, fullVariant)));
    for (const forum of [near, far]) {
      const file = await forum.json<StoredFile>('GET', apiRoutes.storedFile(full_path));
      const bytes = await forum.call('GET', file.downloadURL);
      assert.equal((await bytes.arrayBuffer()).byteLength, size_bytes);
    }
  }
}
