import assert from 'node:assert/strict';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { ChatImport, MovingIn, Plan } from '../../src/shared/moving-in.ts';
import { eventually } from '../eventually.ts';
import type { Forum, Person } from '../forum/forum.ts';

export const movingIn = (forum: Forum, { token }: Person) =>
  forum.json<MovingIn>('GET', apiRoutes.movingIn, { token });

/** Uploads an export, as an admin. */
export async function uploadChat(
  forum: Forum,
  admin: Person,
  bytes: Buffer,
  filename = 'Chat de WhatsApp con Vecinos.zip',
): Promise<void> {
  const response = await forum.upload(admin, bytes, { filename, use: 'import' });
  assert.ok([201, 204].includes(response.status), `${response.status} ${await response.text()}`);
}

/** Uploads an export and brings it by its suggested plan, with these changes. @returns the import once it is done */
export async function bringChat(
  forum: Forum,
  admin: Person,
  bytes: Buffer,
  change: Partial<Plan> = {},
): Promise<ChatImport> {
  await uploadChat(forum, admin, bytes);
  const { upload } = await movingIn(forum, admin);
  assert.ok(upload?.plan, upload?.problem ?? 'no plan');
  const plan = { ...upload.plan, dates: 'day-month', zone: 'Europe/Madrid', ...change };
  const { token } = admin;
  const response = await forum.call('POST', apiRoutes.movingIn, { token, body: { plan } });
  assert.equal(response.status, 202, await response.text());
  const find = async () =>
    (await movingIn(forum, admin)).imports.find(({ name }) => name === plan.channel);
  // Until the file is erased, the next one would be erased in its place.
  await eventually('the chat is there', async () => {
    const { upload, imports } = await movingIn(forum, admin);
    return (
      upload === null && imports.some((one) => one.name === plan.channel && one.state === 'done')
    );
  });
  const done = await find();
  assert.ok(done);
  return done;
}
