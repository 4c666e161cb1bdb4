import assert from 'node:assert/strict';
import { cp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { releaseContents } from '../../scripts/release-contents.ts';
import { openDatabase } from '../../src/server/database/engine.ts';
import { parseConfig } from '../../src/server/system/settings/config.ts';
import { toStoredText } from '../../src/server/texts/stored-text.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase, engines } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { outcomeOf, runTertulia, startProgram } from '../processes/program.ts';
import { ServerProcess, startsWithinMs } from '../processes/server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const project = path.join(import.meta.dirname, '../..');
const comments = 200_000;
/** Adds a column and fills it. With `HOLD` it then waits to be killed, before the transaction is committed. */
const migration = `
import { sql } from 'kysely';

export async function up(db) {
  await sql\`alter table comments add column language text not null default ''\`.execute(db);
  await sql\`update comments set language = 'es' where number % 2 = 0\`.execute(db);
  if (!process.env.HOLD) return;
  console.log(JSON.stringify({ level: 30, msg: 'the migration waits', pid: process.pid }));
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}
`;

/** Makes the program of a next version, with one more migration. */
async function makeNextVersion(folder: string): Promise<void> {
  for (const name of ['package.json', ...releaseContents])
    await cp(path.join(project, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  const migrations = path.join(folder, 'src/server/database/migrations');
  await writeFile(path.join(migrations, '999-language.ts'), migration);
}

for (const engine of engines) {
  test(`an update with 200,000 comments changes nothing when it is killed, and there is a way back from it (${engine})`, async (t) => {
    await using next = await temporaryFolder('next-version');
    await makeNextVersion(next.path);
    await using data = await temporaryFolder('updated');
    const databases: Awaited<ReturnType<typeof createPostgresDatabase>>[] = [];
    t.after(() => Promise.all(databases.map(({ drop }) => drop())));
    /** Settings with an empty database on PostgreSQL, and with the file in the data folder on SQLite. */
    const newSettings = async () => {
      if (engine === 'sqlite') return { DATA_DIR: data.path };
      const database = await createPostgresDatabase();
      databases.push(database);
      return { DATA_DIR: data.path, DATABASE_URL: database.url };
    };
    const settings = await newSettings();
    const startNext = (env: Record<string, string>) => {
      const program = path.join(next.path, 'src/server/operation/command/main.ts');
      return startProgram(program, { TERTULIA_ENV_FILE: '/dev/null', ...env }, 'start');
    };

    let channelId = '';
    const expectComments = async ({ url }: ServerProcess, count: number) => {
      const forum = new ForumClient(url);
      const channel = await forum.json<Channel>('GET', apiRoutes.channel(channelId));
      assert.equal(channel.commentCount, count);
      const writer = await forum.person();
      await forum.comment(writer, channelId, 'Hola');
    };
    {
      await using server = await ServerProcess.start(settings);
      const forum = new ForumClient(server.url);
      const author = await forum.person();
      channelId = (await forum.channel(author))._id;
      await server.stop();
      await using db = openDatabase(parseConfig(settings), { noStatementTimeout: true });
      const text = toStoredText('Yo también pasé por ahí el jueves y estaba cerrado. '.repeat(3));
      for (let first = 1; first < comments; first += 1000) {
        const rows = Array.from({ length: 1000 }, (_, index) => ({
          channel_id: channelId,
          number: first + index,
          account_id: author.id,
          text,
          created_at_ms: Date.now(),
        }));
        await db.insertInto('comments').values(rows).execute();
      }
      const counted = { comment_count: comments, last_comment_number: comments };
      await db.updateTable('channels').set(counted).where('id', '=', channelId).execute();
    }

    {
      await using killed = new ServerProcess({ ...settings, HOLD: '1' }, startNext);
      await eventually(
        'the migration has changed the rows',
        async () => killed.logged(/^the migration waits$/).length === 1,
        startsWithinMs,
      );
    }
    {
      await using former = await ServerProcess.start(settings);
      await expectComments(former, comments);
      await former.stop();
    }

    {
      const startMs = performance.now();
      await using updated = await ServerProcess.start(settings, startNext);
      t.diagnostic(`served after ${Math.round((performance.now() - startMs) / 1000)} s`);
      await expectComments(updated, comments + 1);
      await updated.stop();
    }

    const refused = await outcomeOf(runTertulia(settings, 'start'));
    assert.equal(refused.code, 4, refused.said);
    assert.match(refused.said, /newer than this version, .* 999-language/);

    // The way back of docs/a-bad-day.md.
    const backups = path.join(data.path, 'backups');
    const copies = (await readdir(backups)).sort();
    // The killed attempt left one, too.
    assert.equal(copies.length, 2);
    const newest = path.join(backups, copies.at(-1) ?? '');
    for (const end of ['', '-wal', '-shm'])
      await rm(path.join(data.path, `tertulia.db${end}`), { force: true });
    const back = await newSettings();
    const restored = await outcomeOf(runTertulia(back, 'restore', newest));
    assert.equal(restored.code, 0, restored.said);
    await using former = await ServerProcess.start(back);
    await expectComments(former, comments + 1);
    await former.stop();
  });
}
