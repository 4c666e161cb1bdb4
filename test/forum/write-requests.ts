import { randomUUID } from 'node:crypto';
import { createPasswordLink } from '../../src/server/accounts/recovery/password-links.ts';
import { answerPath } from '../../src/server/forum/events/answer-links.ts';
import { mailToken } from '../../src/server/mail/queue-mail.ts';
import { unsubscribeToken } from '../../src/server/mail/unsubscribe.ts';
import { readSettings } from '../../src/server/site-settings/site-settings.ts';
import { dayMs } from '../../src/server/system/times.ts';
import type { RecoveryCodes, SessionList } from '../../src/shared/account-settings.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { MailedInvitations } from '../../src/shared/mailed-invitations.ts';
import type { Subject } from '../../src/shared/moderation.ts';
import type { PasskeyCreation, PasskeyRequest } from '../../src/shared/passkeys.ts';
import { assetRoutes } from '../../src/shared/routes.ts';
import { quarters } from '../attacks/hostile-images.ts';
import { browserSubscription, remembered } from '../push/remembered.ts';
import { someDates } from './dated-comment.ts';
import type { Forum } from './forum.ts';
import type { CallOptions, Person } from './forum-client.ts';
import { insertPendingPost } from './insert-pending-post.ts';
import { comment, decided, staff } from './moderators.ts';
import { makeOlder } from './old-account.ts';
import { PasskeyDevice } from './passkey-device.ts';
import { RememberedBrowser } from './remembered-browser.ts';
import { TusUpload } from './tus-upload.ts';

interface World {
  /** The process that gets the request. */
  near: Forum;
  /** Another process on the same database and folder. */
  far: Forum;
  author: Person;
  /** A channel of the author without comments. */
  channel: Channel;
  guest: Person;
}

/** Sends a request each time it is called. */
type Send = () => Promise<Response>;
/** The `:id` or `:token` in a route, and the rest of a request. The author's token is sent by default. */
type Parts = CallOptions & { id?: string };
type Prepare = (world: World) => Promise<Send | Parts>;

/** The password that replaces an author's. */
export const newPassword = 'otra';

/** Creates another channel of the author with one comment of the author. @returns its id */
async function commentedChannel({ far, author }: World): Promise<{ id: string }> {
  const { _id: id } = await far.channel(author);
  await far.comment(author, id, 'Una sola vez');
  return { id };
}

/** Creates a channel whose comment 1 carries dates. */
async function datedChannel({ far, author }: World): Promise<{ id: string }> {
  const { _id: id } = await far.channel(author);
  await far.comment(author, id, '', { event: someDates });
  return { id };
}

/** Creates a channel of a moderator whose comment 1 is an announcement. */
async function announcedChannel({ far }: World): Promise<{ id: string }> {
  const moderator = await staff(far);
  const { _id: id } = await far.channel(moderator);
  await far.comment(moderator, id, 'Asamblea', { announcement: { confirm: true } });
  return { id };
}

/** Makes a channel look like a chat that moved in. @returns its id, and the token of an admin */
async function importedChannel({ far, author }: World, state: 'running' | 'done') {
  const { _id: id } = await far.channel(author);
  const row = { channel_id: id, account_id: author.id, state, plan: '' };
  const left_out = JSON.stringify({ older: 0, images: 0, files: 0 });
  const times = { started_at_ms: far.services.now(), changed_at_ms: far.services.now() };
  await far.services.db
    .insertInto('imports')
    .values({ ...row, ...times, source_key: 'k', left_out })
    .execute();
  return { id, token: (await staff(far, 'admin')).token };
}

/** Creates a comment of the author. @returns it as the subject of a report or a decision */
async function newComment(world: World): Promise<Subject> {
  return comment((await commentedChannel(world)).id, 1);
}

/** Hides a comment of the author. @returns the decision's id and the moderator's token */
async function hideComment(world: World): Promise<{ id: string; token: string }> {
  const moderator = await staff(world.far);
  const subject = await newComment(world);
  const { id } = await decided(world.far, moderator, { subject, action: 'hide' });
  return { id, token: moderator.token };
}

/** Creates a channel with one comment, then makes a call as the author. */
function channelAfter(method: string, url: (id: string) => string): Prepare {
  return async (world) => {
    const { id } = await commentedChannel(world);
    await world.far.json(method, url(id), world.author);
    return { id };
  };
}

async function currentPassword({ author }: World) {
  return { body: { currentPassword: author.password } };
}

async function remember({ near, author }: World): Promise<RememberedBrowser> {
  const browser = new RememberedBrowser(near);
  await browser.signIn(author);
  return browser;
}

/** Creates a passkey. @returns the device, and the request that adds its credential */
async function makePasskey({ near, author: { token, password } }: World) {
  const options = { token, body: { currentPassword: password } };
  const creation = await near.json<PasskeyCreation>('POST', apiRoutes.passkeyOptions, options);
  const device = new PasskeyDevice(near.services.config.publicUrl ?? '');
  return { device, request: { token, body: { name: 'Una', credential: device.create(creation) } } };
}

async function addPasskey(world: World): Promise<PasskeyDevice> {
  const { device, request } = await makePasskey(world);
  await world.near.json('POST', apiRoutes.passkeys, request);
  return device;
}

const prepare: Record<string, Prepare> = {
  'POST /api/auth/sign-up': async () => ({
    token: '',
    body: {
      name: 'Ana',
      email: `${randomUUID()}@ejemplo.es`,
      password: 'x',
      img: assetRoutes.defaultAvatar,
    },
  }),
  'POST /api/auth/sign-in': async ({ near, author }) => {
    return () => near.signIn(author.email, author.password);
  },
  'POST /api/auth/resume': async (world) => {
    const browser = await remember(world);
    return () => browser.resume();
  },
  'DELETE /api/auth/resume': async (world) => {
    const browser = await remember(world);
    return () => browser.forget();
  },
  'DELETE /api/user/sessions': async (world) => {
    await remember(world);
    return {};
  },
  'DELETE /api/user/sessions/:id': async (world) => {
    await remember(world);
    const { data } = await world.far.json<SessionList>('GET', apiRoutes.sessions, world.author);
    return { id: data.find(({ isRemembered }) => isRemembered)?.id ?? '' };
  },
  'PATCH /api/user/me': async ({ author: { id, password } }) => ({
    body: { name: 'Otro nombre', email: `${id}@otro.es`, currentPassword: password },
  }),
  'POST /api/auth/password': async ({ far, author }) => {
    const token = await createPasswordLink(far.services.db, author.id, Date.now());
    return { token: '', body: { token, password: newPassword } };
  },
  'POST /api/auth/recover': async (world) => {
    const { token, email } = world.author;
    const options = { token, ...(await currentPassword(world)) };
    const { codes } = await world.far.json<RecoveryCodes>('POST', apiRoutes.recoveryCodes, options);
    return { token: '', body: { email, code: codes[0], password: newPassword } };
  },
  'POST /api/user/recovery-codes': currentPassword,
  'POST /api/user/recovery-codes/reminder': async ({ far, author }) => {
    await makeOlder(far, author);
    return {};
  },
  'POST /api/user/passkeys/options': currentPassword,
  'POST /api/user/passkeys': async (world) => (await makePasskey(world)).request,
  'DELETE /api/user/passkeys/:id': async (world) => ({
    id: (await addPasskey(world)).id.toString('base64url'),
  }),
  'POST /api/auth/passkey/options': async () => ({ token: '' }),
  'POST /api/auth/passkey': async (world) => {
    const device = await addPasskey(world);
    const request = await world.near.json<PasskeyRequest>('POST', apiRoutes.passkeySignInOptions);
    return { token: '', body: { credential: device.use(request) } };
  },
  'PATCH /api/channels/:id/comments/:number/event': async (world) => ({
    ...(await datedChannel(world)),
    headers: { 'if-match': '"1"' },
    body: { title: 'Otra reunión' },
  }),
  'PUT /api/channels/:id/comments/:number/rsvp': async (world) => ({
    ...(await datedChannel(world)),
    body: { date: 0, answer: 'yes' },
  }),
  'PUT /api/channels/:id/comments/:number/acknowledgement': announcedChannel,
  'POST /api/channels/:id/comments/:number/reminder': async (world) => {
    const announced = await announcedChannel(world);
    const { db, now } = world.far.services;
    // It was told more than a day ago.
    await db
      .updateTable('announcements')
      .set({ told_at_ms: now() - 2 * dayMs })
      .execute();
    return { ...announced, token: (await staff(world.far)).token };
  },
  'POST /rsvp/:token': async (world) => {
    const { far, author } = world;
    const { id: channelId } = await datedChannel(world);
    const place = { channelId, number: 1, position: 0 };
    const path = await answerPath(far.services.db, author.id, place, 'yes');
    return { id: path.replace('/rsvp/', ''), token: '' };
  },
  'POST /api/user/calendar': async () => ({}),
  'PUT /api/user/update-img': async () => ({ body: { img: 'https://ejemplo.es/otra.png' } }),
  'DELETE /api/user/me': async ({ author }) => ({
    body: { currentPassword: author.password, content: 'erase' },
  }),
  'POST /api/user/me/restore': async ({ far, author: { token, password } }) => {
    const body = { currentPassword: password, content: 'anonymous' };
    await far.json('DELETE', apiRoutes.me, { token, body });
    return {};
  },
  'PUT /api/user/reads': async ({ channel }) => ({ body: { channelId: channel._id, number: 0 } }),
  'PUT /api/user/notifications/seen': async (world) => {
    const { id } = await commentedChannel(world);
    await world.far.comment(world.guest, id, 'Sí', { replyTo: 1 });
    return { body: { id: Number.MAX_SAFE_INTEGER } };
  },
  'PATCH /api/user/notification-settings': async () => ({ body: { email: { every: 'week' } } }),
  'POST /api/user/push': async (world) => ({
    token: (await remembered(world.far, world.author)).token,
    body: browserSubscription(),
  }),
  'DELETE /api/user/push': async ({ far, author }) => {
    const { token } = await remembered(far, author);
    const body = browserSubscription();
    await far.json('POST', apiRoutes.push, { token, body });
    return { body: { endpoint: body.endpoint } };
  },
  'POST /api/user/email/confirmation': async () => ({}),
  'POST /api/user/email/confirm': async ({ far, author }) => {
    const mail = far.services.db
      .selectFrom('mails')
      .select('id')
      .where('account_id', '=', author.id);
    const { id } = await mail.executeTakeFirstOrThrow();
    return { token: '', body: { token: await mailToken(far.services.db, author.id, id) } };
  },
  'POST /unsubscribe/:token': async ({ far, author }) => ({
    id: await unsubscribeToken(far.services.db, author.id),
    token: '',
  }),
  'PUT /api/channels/:id/level': async ({ channel }) => ({
    id: channel._id,
    body: { level: 'all' },
  }),
  'POST /api/channels': async () => ({
    headers: { 'idempotency-key': randomUUID() },
    body: { name: `Canal ${randomUUID()}`, description: 'Uno', cover: assetRoutes.defaultAvatar },
  }),
  'PATCH /api/channels/:id': async (world) => ({
    ...(await commentedChannel(world)),
    headers: { 'if-match': '"1"' },
    body: { name: `Canal ${randomUUID()}` },
  }),
  'DELETE /api/channels/:id': commentedChannel,
  'POST /api/channels/:id/restore': channelAfter('DELETE', apiRoutes.channel),
  'POST /api/channels/:id/close': commentedChannel,
  'POST /api/channels/:id/reopen': channelAfter('POST', apiRoutes.closeChannel),
  'PUT /api/channels/comment': async ({ channel }) => ({
    headers: { 'idempotency-key': randomUUID() },
    body: { id: channel._id, comment: 'Una sola vez' },
  }),
  'PATCH /api/channels/:id/comments/:number': async (world) => ({
    ...(await commentedChannel(world)),
    headers: { 'if-match': '"1"' },
    body: { comment: 'Otra vez' },
  }),
  'DELETE /api/channels/:id/comments/:number': commentedChannel,
  'POST /api/channels/:id/comments/:number/restore': channelAfter('DELETE', (id) =>
    apiRoutes.channelComment(id, 1),
  ),
  'PUT /api/channels/:id/comments/:number/thanks': async (world) => ({
    ...(await commentedChannel(world)),
    token: world.guest.token,
  }),
  'DELETE /api/channels/:id/comments/:number/thanks': async (world) => {
    const { id } = await commentedChannel(world);
    await world.far.json('PUT', apiRoutes.thanks(id, 1), world.guest);
    return { id, token: world.guest.token };
  },
  'POST /api/reports': async (world) => ({
    token: world.guest.token,
    body: { ...(await newComment(world)), reason: 'spam' },
  }),
  'POST /api/moderation/decisions': async (world) => ({
    token: (await staff(world.far)).token,
    body: { subject: await newComment(world), action: 'hide', reason: 'Publicidad' },
  }),
  'POST /api/moderation/decisions/:id/undo': async (world) => {
    const { id, token } = await hideComment(world);
    return { id, token, body: { reason: 'Me equivoqué' } };
  },
  'POST /api/user/decisions/:id/appeal': async (world) => ({
    id: (await hideComment(world)).id,
    body: { text: 'No lo es' },
  }),
  'PUT /api/users/:id/role': async ({ far, author }) => ({
    id: author.id,
    token: (await staff(far, 'admin')).token,
    body: { role: 'moderator' },
  }),
  'POST /api/users/:id/password-link': async ({ far, author }) => ({
    id: author.id,
    token: (await staff(far, 'admin')).token,
  }),
  'PATCH /api/moderation/settings': async ({ far }) => ({
    token: (await staff(far, 'admin')).token,
    headers: { 'if-match': `"${(await readSettings(far.services.db))?.revision}"` },
    body: { welcome: 'Hola' },
  }),
  'DELETE /api/user/pending/:id': async (world) => ({
    id: await insertPendingPost(world.far, world.author, world.channel._id),
  }),
  'POST /api/moderation/mailed-invitations': async ({ far }) => ({
    token: (await staff(far)).token,
    body: { invitees: [{ email: `${randomUUID()}@ejemplo.es`, name: 'Luz' }] },
  }),
  'POST /api/moderation/mailed-invitations/:id/again': async ({ far }) => {
    const { token } = await staff(far);
    const invitees = [{ email: `${randomUUID()}@ejemplo.es` }];
    const { data } = await far.json<MailedInvitations>('POST', apiRoutes.mailedInvitations, {
      ...{ token, body: { invitees } },
    });
    const { db, now } = far.services;
    const id = data[0]?.id ?? '';
    await db
      .updateTable('mailed_invitations')
      .set({ created_at_ms: now() - 4 * dayMs, sent_at_ms: now() })
      .execute();
    await db.updateTable('mails').set({ next_try_at_ms: null }).execute();
    return { id, token };
  },
  'DELETE /api/moderation/import': (world) => importedChannel(world, 'running'),
  'DELETE /api/moderation/import/:id': (world) => importedChannel(world, 'done'),
  'POST /api/invitations': async () => ({ body: {} }),
  'DELETE /api/invitations/:id': async ({ far, author }) => ({
    id: (await far.json<{ id: string }>('POST', apiRoutes.invitations, { ...author, body: {} })).id,
  }),
  'POST /api/uploads': async ({ near, author }) => {
    const image = await quarters(40, 16).png().toBuffer();
    return () => near.upload(author, image, { filename: `${author.id}.png` });
  },
  // Begins a new upload each time, as the page does when the last part gets no response.
  'PATCH /api/uploads/:id': async ({ near, author }) => {
    const image = await quarters(40, 16).png().toBuffer();
    return async () => {
      const upload = await TusUpload.begin(near.url, author, image.length, `${author.id}.png`);
      return upload.send(near.url, 0, image);
    };
  },
};

/** The routes whose requests need a preparation: all that write, except signing out. */
export const preparedRoutes = Object.keys(prepare);

/**
 * Prepares a request that succeeds.
 * @param route `METHOD pattern` of a route that writes to the database
 * @returns a function that sends it, each time with the same idempotency key where the route accepts one
 */
export async function prepareWrite(route: string, world: World): Promise<Send> {
  const prepared = (await prepare[route]?.(world)) ?? {};
  if (typeof prepared === 'function') return prepared;
  const { id = '', ...options } = prepared;
  const [method = '', pattern = ''] = route.split(' ');
  const url = pattern.replace(/:id|:token/, id).replace(':number', '1');
  return () => world.near.call(method, url, { token: world.author.token, ...options });
}
