import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/server/database/engine.ts';
import type { Database } from '../../src/server/database/tables.ts';
import { isIndexComplete, requestRebuild } from '../../src/server/search-index/index-state.ts';
import { parseConfig } from '../../src/server/system/settings/config.ts';
import { toStoredText } from '../../src/server/texts/stored-text.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase, engines } from '../forum/forum.ts';
import { ForumClient, type Person } from '../forum/forum-client.ts';
import { readZip, rowsIn } from '../forum/read-zip.ts';
import { memoryOf } from '../processes/process-memory.ts';
import { serveSettings } from '../processes/program.ts';
import { ServerProcess, startHourOld } from '../processes/server-process.ts';

const comments = 100_000;
/** Number of the account's comments between two mentions of it by another person. */
const mentionEvery = 20;
const written = comments - comments / mentionEvery;
/** Number of the first comments in the channel, of which those by the account are erased. */
const erased = 10_000;
const maxGrownMb = 60;
/**
 * Heap limit of the server that exports. V8 would otherwise let garbage grow to a multiple of the live data,
 * so that any long work adds 50 to 150 MB. With all comments in memory the server would exit.
 */
const heapMb = 80;

/** Inserts comments `first` to `last` of one person in another's channel, with mentions between them. */
async function fill(
  db: Database,
  channelId: string,
  { zoraida, berta }: { zoraida: Person; berta: Person },
  { first, last }: { first: number; last: number },
): Promise<void> {
  for (let start = first; start <= last; start += 1000) {
    const rows = Array.from({ length: 1000 }, (_, i) => {
      const number = start + i;
      const mentions = number % mentionEvery === 0;
      return {
        channel_id: channelId,
        number,
        account_id: mentions ? berta.id : zoraida.id,
        text: mentions
          ? toStoredText('Hola, @', [{ start: 6, length: 1, accountId: zoraida.id }])
          : toStoredText(`El jueves ${number} pasé por ahí y estaba cerrado`),
        created_at_ms: Date.now(),
        reply_to: number > 1 && number % 10 === 0 ? number - 1 : null,
      };
    });
    await db.insertInto('comments').values(rows).execute();
  }
  await db
    .updateTable('channels')
    .set({ comment_count: last, last_comment_number: last })
    .where('id', '=', channelId)
    .execute();
}

function p99(ms: number[]): number {
  return ms.toSorted((one, other) => one - other)[Math.ceil(ms.length * 0.99) - 1] ?? 0;
}

for (const engine of engines) {
  test(`an account with 100,000 comments is exported, and with 10,000 erased while others write and despite a kill (${engine})`, async (t) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-large-'));
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    const settings = { DATA_DIR: dataDir, ...(database ? { DATABASE_URL: database.url } : {}) };
    const env = { ...settings, PORT: '0', RATE_LIMITS: 'off' };
    const db = openDatabase(parseConfig(settings), { noStatementTimeout: true });
    let server = await ServerProcess.start(env);
    t.after(async () => {
      server.kill('SIGKILL');
      await server.ended;
      await db.destroy();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    });
    let forum = new ForumClient(server.url);
    const zoraida = await forum.person('Zoraida Quintanar');
    const berta = await forum.person('Berta');
    const { _id: channelId } = await forum.channel(berta);
    await server.stop();
    await fill(db, channelId, { zoraida, berta }, { first: 1, last: erased });
    await requestRebuild(db);
    server = await ServerProcess.start(env);
    await eventually('the index is built', () => isIndexComplete(db), 300_000);
    await server.stop();
    // The others are not erased, so the index does not need them.
    await fill(db, channelId, { zoraida, berta }, { first: erased + 1, last: comments });
    const bounded = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
    server = await ServerProcess.start({ ...env, ...serveSettings, ...bounded }, startHourOld);
    forum = new ForumClient(server.url);
    await forum.allComments(channelId, `${channelId}-${comments - 100}`);

    const beforeMb = memoryOf(server.pid).nowMb;
    const startMs = performance.now();
    const response = await forum.call('GET', apiRoutes.export, { token: zoraida.token });
    const parts: Uint8Array[] = [];
    let mostMb = beforeMb;
    for await (const part of response.body ?? []) {
      parts.push(part);
      mostMb = Math.max(mostMb, memoryOf(server.pid).nowMb);
      if (parts.length % 20 === 0) await delay(50);
    }
    const exportMs = performance.now() - startMs;
    const files = readZip(Buffer.concat(parts));
    assert.equal(rowsIn(files, 'comentarios.jsonl').length, written);
    const { peakMb } = memoryOf(server.pid);
    t.diagnostic(
      `export: ${Math.round(exportMs)} ms, resident ${beforeMb} MB before, at most ${peakMb} MB`,
    );
    assert.ok(peakMb - beforeMb < maxGrownMb, `${peakMb - beforeMb} MB more`);

    // The export shows that memory does not grow with the account, which a tenth of the comments could not show.
    await db
      .updateTable('comments')
      .set({ account_id: berta.id })
      .where('account_id', '=', zoraida.id)
      .where('number', '>', erased)
      .execute();
    const body = { currentPassword: zoraida.password, content: 'erase' };
    await forum.json('DELETE', apiRoutes.me, { token: zoraida.token, body });
    const left = async () => {
      const { count } = await db
        .selectFrom('comments')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', zoraida.id)
        .executeTakeFirstOrThrow();
      return Number(count);
    };
    /** Another person writes comments one after another until `isDone`. @returns the milliseconds of each */
    const writeUntil = async (isDone: () => Promise<boolean>) => {
      const tookMs: number[] = [];
      const write = async () => {
        for (let i = 0; i < 10; i++) {
          const sentMs = performance.now();
          await forum.comment(berta, channelId, 'Escribo mientras tanto');
          tookMs.push(performance.now() - sentMs);
          await delay(20);
        }
        return isDone();
      };
      await eventually('comments are erased', write, 600_000);
      return tookMs;
    };
    const all = await left();
    assert.equal(all, erased - erased / mentionEvery);
    const writeComments = (count: number) => {
      let roundsLeft = count / 10;
      return writeUntil(async () => --roundsLeft === 0);
    };
    const quiet = await writeComments(300);
    const quietMs = p99(quiet);
    await db
      .updateTable('accounts')
      .set({ deletion_at_ms: Date.now() })
      .where('id', '=', zoraida.id)
      .execute();
    await eventually('the erasure begins', async () => (await left()) < all, 120_000);
    const erasureMs = performance.now();
    const busy = await writeUntil(async () => (await left()) <= all / 2);
    server.kill('SIGKILL');
    await server.ended;
    const killedAt = await left();
    assert.ok(killedAt > 0);
    server = await ServerProcess.start(env, startHourOld);
    forum = new ForumClient(server.url);
    // The first requests of a process take several times as long, also without an erasure.
    await writeComments(100);
    busy.push(...(await writeUntil(async () => (await left()) === 0)));
    const busyMs = p99(busy);
    const tookMs = performance.now() - erasureMs;
    t.diagnostic(
      `erasure: ${Math.round(tookMs / 1000)} s, killed at ${killedAt} comments left; p99 of ${quiet.length} comments before it ${Math.round(quietMs)} ms, of ${busy.length} meanwhile ${Math.round(busyMs)} ms, at most ${Math.round(Math.max(...busy))} ms; resident at most ${memoryOf(server.pid).peakMb} MB`,
    );
    const [channel] = await db
      .selectFrom('channels')
      .select(['comment_count'])
      .where('id', '=', channelId)
      .execute();
    const { count } = await db
      .selectFrom('comments')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('channel_id', '=', channelId)
      .executeTakeFirstOrThrow();
    assert.equal(channel?.comment_count, Number(count));
    // A batch that is too large would hold up the others many times as long.
    assert.ok(busyMs <= 5 * quietMs, `${busyMs} ms, and ${quietMs} ms before`);
  });
}
