import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { hashPassword } from '../src/server/accounts/passwords/passwords.ts';
import { openDatabase } from '../src/server/database/engine.ts';
import type { Database } from '../src/server/database/tables.ts';
import { sqliteFile } from '../src/server/system/settings/data-dir.ts';
import { toStoredText } from '../src/server/texts/stored-text.ts';
import type { SignedIn } from '../src/shared/accounts.ts';
import { type Filling, fillChannels, filled } from '../test/forum/fill-forum.ts';
import { ForumClient } from '../test/forum/forum-client.ts';
import { type ZipfTexts, zipfTexts } from '../test/forum/zipf-texts.ts';
import { openNewSite, type SiteData, untilIndexed } from './new-site.ts';
import { startServer } from './server.ts';

const password = 'una contraseña: larga';
const noComments: Filling = { accounts: 8, channels: 10_000, comments: 0, longest: 0 };
const rowsAtOnce = 1000;
/** Minimum length of a text. `zipfTexts` ends with the word that reaches it, on average at 112 characters. */
const leastChars = 109;

/** Two words that each occur in 30 % of the comments, but never in the same one. */
export const neverTogether = ['izquierda', 'derecha'] as const;

export interface SearchForum extends SiteData {
  comments: number;
  texts: ZipfTexts;
  client: ForumClient;
  token: string;
  serverPid: number;
  metricsUrl: string;
  /** Time the running server took to index all comments, in seconds. */
  indexSeconds: number;
  /** Stops the server and keeps its data. */
  stopServer(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Fills a forum with comments whose words follow Zipf's law, serves it, and waits for their index.
 * @param databaseUrl of an empty PostgreSQL database; undefined for SQLite
 */
export async function startSearchForum(
  comments: number,
  databaseUrl: string | undefined,
): Promise<SearchForum> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
  const site = { dataDir, databaseUrl };
  const texts = zipfTexts(15, 300_000);
  await fill(site, comments, texts);
  const startMs = performance.now();
  const { server, client, token } = await serve(site);
  await untilIndexed(site);
  const indexSeconds = (performance.now() - startMs) / 1000;
  let stopped: Promise<void> | undefined;
  const stopServer = () => {
    stopped ??= server.stop();
    return stopped;
  };
  const remove = async () => {
    await stopServer();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    ...site,
    comments,
    texts,
    client,
    token,
    serverPid: server.pid,
    metricsUrl: server.metricsUrl,
    indexSeconds,
    stopServer,
    remove,
  };
}

/** Starts a server in a separate process and signs in an account. @param env added to its settings */
export async function serve({ dataDir, databaseUrl }: SiteData, env: Record<string, string> = {}) {
  const server = await startServer({
    DATA_DIR: dataDir,
    METRICS: 'on',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...env,
  });
  const client = new ForumClient(server.url);
  const { token } = (await (await client.signIn(filled.email(0), password)).json()) as SignedIn;
  return { server, client, token };
}

async function fill(site: SiteData, comments: number, texts: ZipfTexts): Promise<void> {
  const db = await openNewSite(site);
  try {
    const nowMs = Date.now();
    const passwordHash = await hashPassword(password);
    await fillChannels(db, noComments, { passwordHash, nowMs });
    await db.transaction().execute((trx) => fillComments(trx, comments, texts, nowMs));
    if (site.databaseUrl) await sql`analyze`.execute(db);
  } finally {
    await db.destroy();
  }
}

async function fillComments(
  db: Database,
  comments: number,
  texts: ZipfTexts,
  nowMs: number,
): Promise<void> {
  const counts = new Uint32Array(noComments.channels);
  for (let start = 0; start < comments; start += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, comments - start) }, (_, offset) => {
      const index = start + offset;
      // Some channels have many more comments than others.
      const channel = Math.floor(noComments.channels * texts.random() ** 3);
      const number = (counts[channel] ?? 0) + 1;
      counts[channel] = number;
      return {
        channel_id: filled.channelId(channel),
        number,
        account_id: filled.accountId(index % noComments.accounts),
        text: toStoredText(textOf(index, texts)),
        created_at_ms: nowMs - (comments - index) * 1000,
      };
    });
    await db.insertInto('comments').values(rows).execute();
    await yieldToEventLoop();
  }
  for (const [channel, count] of counts.entries()) {
    await db
      .updateTable('channels')
      .set({ comment_count: count, last_comment_number: count })
      .where('id', '=', filled.channelId(channel))
      .execute();
  }
}

export function textOf(index: number, texts: ZipfTexts): string {
  const word = neverTogether[Math.floor((index % 10) / 3)];
  const begin = word ? `${word} ` : '';
  return begin + texts.text(leastChars - begin.length);
}

/** Bytes on disk of each part of the search index, by table or index name. */
export async function indexBytes({
  dataDir,
  databaseUrl,
}: SiteData): Promise<Record<string, number>> {
  const like = 'search_docs%';
  if (!databaseUrl) {
    const file = new DatabaseSync(sqliteFile(dataDir), { readOnly: true });
    const rows = file
      .prepare(
        `select name, sum(pgsize) as bytes from dbstat
         where name like ? or name like ? group by name order by bytes desc`,
      )
      .all(like, `sqlite_autoindex_${like}`);
    file.close();
    return Object.fromEntries(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
  }
  const db = openDatabase({ dataDir, databaseUrl }, { noStatementTimeout: true });
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_relation_size(oid) as bytes from pg_class
    where relname like ${like} and relkind in ('r', 'i') order by bytes desc
  `
    .execute(db)
    .finally(() => db.destroy());
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}
