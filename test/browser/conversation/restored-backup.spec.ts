import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withSource } from '../../../src/server/operation/backups/backup-source.ts';
import { makeBackup } from '../../../src/server/operation/backups/make-backup.ts';
import { restoreBackup } from '../../../src/server/operation/backups/restore-backup.ts';
import { parseConfig } from '../../../src/server/system/settings/config.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { Forum } from '../../forum/forum.ts';
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

// The server stops while the page may be loading a part.
test.use({ expectedErrors: [/net::ERR_|dynamically imported module|preload CSS/] });

test('an open page shows the restored comments after a backup is restored, and then new ones', async ({
  page,
  folder,
}) => {
  let forum = await Forum.start('sqlite');
  // The page keeps its address while the server behind it changes.
  const site = createServer((client) => {
    const server = connect(Number(new URL(forum.url).port), '127.0.0.1');
    client.on('error', () => server.destroy()).pipe(server);
    server.on('error', () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  try {
    const ana = await forum.person();
    const channel = await forum.channel(ana);
    await forum.comment(ana, channel._id, 'uno');
    await forum.comment(ana, channel._id, 'dos');
    const file = path.join(folder, 'backup.tar');
    await withSource(parseConfig(forum.dataSettings), (source) =>
      makeBackup(source, file, async () => {}),
    );
    await page.goto(url + pageRoutes.channel(channel._id));
    await expect(commentsShown(page)).toHaveCount(2);
    await forum.comment(ana, channel._id, 'se perderá');
    await expect(commentsShown(page)).toHaveText([/uno/, /dos/, /se perderá/]);

    await forum.stop();
    const restored = { DATA_DIR: path.join(folder, 'restored') };
    await restoreBackup(parseConfig(restored), file);
    forum = await Forum.start('sqlite', restored);
    const bea = await forum.person('Bea Ruiz');
    // The restored channel now has as many comments as the page shows, but a different third one.
    await forum.comment(bea, channel._id, 'otro tercero');
    await expect(commentsShown(page)).toHaveText([/uno/, /dos/, /otro tercero/]);
    await forum.comment(bea, channel._id, 'nuevo');
    await expect(commentsShown(page)).toHaveText([/uno/, /dos/, /otro tercero/, /nuevo/]);
  } finally {
    await page.goto('about:blank');
    site.close();
    await forum.stop();
  }
});
