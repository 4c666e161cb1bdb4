import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withSource } from '../../../src/server/operation/backups/backup-source.ts';
import { makeBackup } from '../../../src/server/operation/backups/make-backup.ts';
import { restoreBackup } from '../../../src/server/operation/backups/restore-backup.ts';
import { parseConfig } from '../../../src/server/system/settings/config.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { ForumClient } from '../../forum/forum-client.ts';
import { freePorts } from '../../processes/free-ports.ts';
import { ServerProcess } from '../../processes/server-process.ts';
import { commentsShown } from '../comments.ts';
import { test as base, expect } from '../fixtures.ts';

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
  folder: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-restored-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
});

test.use({ expectedErrors: [/net::ERR_/] });

test('an open page shows the restored comments after a backup is restored, and then new ones', async ({
  page,
  folder,
}) => {
  const [port = 0] = await freePorts(1);
  const place = (name: string) => ({ DATA_DIR: path.join(folder, name) });
  const serve = (name: string) =>
    ServerProcess.start({ ...place(name), PORT: String(port), RATE_LIMITS: 'off' });
  const file = path.join(folder, 'backup.tar');
  let server = await serve('former');
  try {
    const forum = new ForumClient(server.url);
    const ana = await forum.person();
    const channel = await forum.channel(ana);
    await forum.comment(ana, channel._id, 'uno');
    await forum.comment(ana, channel._id, 'dos');
    await withSource(parseConfig(place('former')), (source) =>
      makeBackup(source, file, async () => {}),
    );
    await page.goto(server.url + pageRoutes.channel(channel._id));
    await expect(commentsShown(page)).toHaveCount(2);
    await forum.comment(ana, channel._id, 'se perderá');
    await expect(commentsShown(page)).toHaveText([/uno/, /dos/, /se perderá/]);

    await server.stop();
    await restoreBackup(parseConfig(place('restored')), file);
    server = await serve('restored');
    const bea = await forum.person('Bea Ruiz');
    // The restored channel now has as many comments as the page shows, but a different third one.
    await forum.comment(bea, channel._id, 'otro tercero');
    await expect(commentsShown(page)).toHaveText([/uno/, /dos/, /otro tercero/]);
    await forum.comment(bea, channel._id, 'nuevo');
    await expect(commentsShown(page)).toHaveText([/uno/, /dos/, /otro tercero/, /nuevo/]);
  } finally {
    await server.stop();
  }
});
