import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { describeSite } from '../../../test/forum/describe-site.ts';
import { createPostgresDatabase, engines, Forum } from '../../../test/forum/forum.ts';
import { parseConfig } from '../config/config.ts';
import { restoreBackup } from './restore-backup.ts';

/**
 * `site.tar.gz` is a backup by the version with migration 010 of a site that was filled through its API and commands,
 * `asked.json` names what to ask for, and `shown.txt` has the answers. That version answered the same, except:
 * excerpts had the names and ends that mentions had when they were quoted, erasing a mentioned account raised revisions,
 * and images of what was deleted or hidden were sent.
 */
const folder = path.join(import.meta.dirname, '../../../test/forum/former-site');

for (const engine of engines) {
  test(`a backup by the version of migration 010, with rows of every kind, shows what it showed there (${engine})`, async (t) => {
    await using target = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-former-'));
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    t.after(() => database?.drop());
    const env = {
      DATA_DIR: path.join(target.path, 'data'),
      ...(database ? { DATABASE_URL: database.url } : {}),
    };
    await mkdir(env.DATA_DIR);
    const file = path.join(target.path, 'site.tar');
    await writeFile(file, gunzipSync(await readFile(path.join(folder, 'site.tar.gz'))));
    const { madeAt } = await restoreBackup(parseConfig(env), file);
    // Rows in the bins do not expire.
    await using forum = await Forum.start(engine, env, { now: () => Date.parse(madeAt) });
    const site = JSON.parse(await readFile(path.join(folder, 'asked.json'), 'utf8'));
    const shown = `${(await describeSite(forum, site)).join('\n')}\n`;
    assert.equal(shown, await readFile(path.join(folder, 'shown.txt'), 'utf8'));
  });
}
