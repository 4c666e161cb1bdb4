import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { createBucket, noBucket } from '../../../../test/bucket/bucket.ts';
import { addCover } from '../../../../test/forum/add-cover.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { createPostgresDatabase, Forum, type Person } from '../../../../test/forum/forum.ts';
import { imageSetups } from '../../../../test/forum/image-setups.ts';
import { expectIndexed } from '../../../../test/forum/index-contents.ts';
import { leaveTraces } from '../../../../test/forum/leave-traces.ts';
import { openAppeal } from '../../../../test/forum/moderators.ts';
import { uploadFile } from '../../../../test/forum/upload-file.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import type { DocumentPage } from '../../../shared/files.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { tablesWith } from '../../database/table-register.ts';
import { UnfitTarget } from '../../database/unfit-target.ts';
import { S3Bucket } from '../../images/stores/s3-bucket.ts';
import { buildIndex } from '../../search-index/build-index.ts';
import { isIndexComplete } from '../../search-index/index-state.ts';
import { type Config, parseConfig } from '../../system/settings/config.ts';
import { withSource } from './backup-source.ts';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const awkward = 'ñ 😀 \u2028 "comillas" \\ línea\nnueva \u202e al revés';
/** The id of an expired notification that an account has seen. */
const seenId = 1000;
const filledTables =
  'comments comment_images comment_files comment_thanks comment_versions comment_events event_dates event_rsvps reading_positions notifications decisions decision_accounts appeals cases reports sessions';

interface Filled {
  reader: Person;
  channel: Channel;
  /** The channel of dates that the reader and another person answered. */
  rehearsals: Channel;
}

async function fill(forum: Forum): Promise<Filled> {
  const { zoraida, berta, shared, rehearsals } = await leaveTraces(forum, 'zoraida@ejemplo.es');
  await addCover(forum, 1000);
  const png = await quarters(40, 30).png().toBuffer();
  const stored = await forum.upload(berta, png, { filename: 'plaza.png', use: 'comment' });
  const { downloadURL: url } = (await stored.json()) as StoredFile;
  await forum.comment(berta, shared._id, awkward, { images: [{ url, alt: awkward }] });
  const files = [{ url: (await uploadFile(forum, berta, `${awkward}.pdf`)).downloadURL }];
  await forum.comment(berta, shared._id, '', { files });
  const decided = { action: 'hide', accountId: zoraida.id, reason: awkward } as const;
  await openAppeal(forum, await decideRow(forum, decided), zoraida.id);
  const { db } = forum.services;
  await db.updateTable('accounts').set({ notifications_seen_id: seenId }).execute();
  // What people were last told differs from the dates, which the next pass has to find.
  const told = { told_location: awkward, differs_since_ms: Date.now(), occasion: 3, told_at_ms: 5 };
  await db.updateTable('event_dates').set(told).where('position', '=', 0).execute();
  return { reader: zoraida, channel: shared, rehearsals };
}

/** The responses of a site to a guest, and to a person who was signed in before it moved. */
async function readSite(forum: Forum, { reader, channel, rehearsals }: Filled) {
  const channels = await forum.json<ChannelPage>('GET', apiRoutes.channels);
  const cover = channels.data.find(({ name }) => name === 'Cine')?.cover;
  const { data: documents } = await forum.json<DocumentPage>('GET', apiRoutes.documents);
  assert.equal(documents.length, 1);
  const file = documents[0]?.url;
  const images = [cover, `${cover}/500.webp`, `${cover}/card.jpg`, file].map(async (url = '') => {
    const response = await forum.call('GET', url);
    assert.equal(response.status, 200);
    const bytes = Buffer.from(await response.arrayBuffer());
    return [response.headers.get('content-type'), bytes.toString('base64')];
  });
  const { token } = reader;
  const { url } = await forum.json<{ url: string }>('GET', apiRoutes.ownCalendar, { token });
  return {
    channels,
    documents,
    dates: await forum.json('GET', apiRoutes.channelComments(rehearsals._id)),
    calendar: new URL(url).pathname,
    comments: await forum.json('GET', apiRoutes.channelComments(channel._id)),
    profile: await forum.json('GET', apiRoutes.me, { token }),
    images: await Promise.all(images),
  };
}

/** The id of a new notification. */
async function nextNotificationId({ services: { db } }: Forum): Promise<number> {
  const former = await db.selectFrom('notifications').selectAll().executeTakeFirstOrThrow();
  const added = db.insertInto('notifications').values({ ...former, id: undefined, number: 9 });
  return (await added.returning('id').executeTakeFirstOrThrow()).id;
}

/** The number of columns for which PostgreSQL has planner statistics. */
async function countPlannerStatistics({ services: { db } }: Forum): Promise<number> {
  const { rows } = await sql`select 1 from pg_stats where tablename = 'comments'`.execute(db);
  return rows.length;
}

const backUp = (config: Config, file: string) =>
  withSource(config, (source) => makeBackup(source, file, async () => {}));

/** The tables whose rows, and the images whose bytes, are not the same in two backups. */
function differences(before: Manifest, after: Manifest): string[] {
  const listsOf = ({ tables, pictures }: Manifest) => ({ ...tables, pictures });
  const [old, moved] = [Object.entries(listsOf(before)), Object.entries(listsOf(after))];
  const countsOf = (lists: typeof old) => lists.map(([name, list]) => [name, list?.count]);
  assert.deepEqual(countsOf(moved), countsOf(old));
  return old.filter((list, index) => !isDeepStrictEqual(list, moved[index])).map(([name]) => name);
}

async function envOf(setup: (typeof imageSetups)[number], dataDir: string, t: TestContext) {
  const database = setup.engine === 'postgres' ? await createPostgresDatabase() : undefined;
  t.after(() => database?.drop());
  const settings: Record<string, string> = { DATA_DIR: dataDir, ...(await setup.env()) };
  return database ? { ...settings, DATABASE_URL: database.url } : settings;
}

const [local, remote] = imageSetups;
assert.ok(local && remote);

test(`a site moves by backups from ${local.title} to ${remote.title} and back, with the same rows, images and sessions`, async (t) => {
  await using folder = await temporaryFolder('move');
  let filled: Filled | undefined;
  let expected: Awaited<ReturnType<typeof readSite>> | undefined;
  let file = '';
  let manifest: Manifest | undefined;
  for (const [moves, setup] of [local, remote, local].entries()) {
    const env = await envOf(setup, path.join(folder.path, `site-${moves}`), t);
    const config = parseConfig(env);
    if (manifest) {
      await restoreBackup(config, file, { keepSessions: true });
      const again = await backUp(config, path.join(folder.path, `again-${moves}.tar`));
      // No mail is sent again about existing notifications.
      const changed = moves === 1 ? ['accounts', 'site'] : ['site'];
      assert.deepEqual(differences(manifest, again.manifest), changed);
    }
    await using forum = await Forum.start(setup.engine, env);
    filled ??= await fill(forum);
    const shown = await readSite(forum, filled);
    expected ??= shown;
    assert.deepEqual(shown, expected);
    if (manifest) {
      assert.equal(await isIndexComplete(forum.services.db), false);
      await buildIndex(forum.services, new AbortController().signal);
      await expectIndexed(forum.services.db);
      if (config.databaseUrl) assert.notEqual(await countPlannerStatistics(forum), 0);
    }

    ({ file } = await backUp(config, path.join(folder.path, `site-${moves}.tar`)));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    manifest = await verifyBackup(file);
    const saved = [...tablesWith('backup', 'rows'), ...tablesWith('backup', 'sign-in')];
    assert.deepEqual(Object.keys(manifest.tables).sort(), saved.sort());
    for (const table of filledTables.split(' ')) assert.ok(manifest.tables[table]?.count, table);
    if (moves > 0) assert.equal(await nextNotificationId(forum), seenId + 1);
    await forum.stop();
    await assert.rejects(restoreBackup(config, file), UnfitTarget);
  }
});

test('image files that another program copies to a bucket and back are served under the same names', {
  skip: noBucket,
}, async () => {
  await using folder = await temporaryFolder('images');
  const onDisk = { DATA_DIR: folder.path };
  const inBucket = { ...onDisk, ...(await createBucket()) };
  const { s3 } = parseConfig(inBucket);
  assert.ok(s3);
  const bucket = new S3Bucket(s3, '');
  const images = path.join(folder.path, 'images');
  const readCover = async (env: Record<string, string>) => {
    await using forum = await Forum.start('sqlite', env);
    const { data } = await forum.json<ChannelPage>('GET', apiRoutes.channels);
    const response = await forum.call('GET', data[0]?.cover ?? '');
    assert.equal(response.status, 200);
    return [response.headers.get('content-type'), Buffer.from(await response.arrayBuffer())];
  };

  {
    await using forum = await Forum.start('sqlite', onDisk);
    await addCover(forum, 1000);
  }
  const cover = await readCover(onDisk);
  for (const name of await readdir(images)) {
    const ContentType = 'application/octet-stream';
    await bucket.put(`images/${name}`, await readFile(path.join(images, name)), { ContentType });
  }
  await rm(images, { recursive: true });
  assert.deepEqual(await readCover(inBucket), cover);

  await mkdir(images);
  for await (const { key } of bucket.list())
    await writeFile(path.join(folder.path, key), await bucket.readWhole(key));
  assert.deepEqual(await readCover(onDisk), cover);
});
