import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Request } from 'autocannon';
import { sql } from 'kysely';
import { hashPassword } from '../src/server/accounts/passwords/passwords.ts';
import type { Database } from '../src/server/database/tables.ts';
import type { SignedIn } from '../src/shared/accounts.ts';
import { apiRoutes } from '../src/shared/api-routes.ts';
import { type Filling, fillChannels, fillComments, filled } from '../test/forum/fill-forum.ts';
import { ForumClient } from '../test/forum/forum-client.ts';
import { put } from './load.ts';
import { openNewSite, type SiteData, untilIndexed } from './new-site.ts';
import { type Server, startServer } from './server.ts';

const password = 'una contraseña: larga';

/** Fifty channels, the first of which has twenty comments. */
const smallForum: Filling = { accounts: 8, channels: 50, comments: 1000, longest: 20 };

/** A filled forum and its server, which runs in a separate process. */
export interface BenchForum {
  client: ForumClient;
  server: Server;
  /** Session token of a signed-in account. */
  token: string;
  /** One request per channel to post a comment, for the first fifty channels. */
  commentRequests: Request[];
  /** Bytes on disk per comment, including its share of the indexes. */
  bytesPerComment: number;
  stop(): Promise<void>;
}

/**
 * Fills a new forum and serves it.
 * @param databaseUrl of an empty PostgreSQL database; SQLite by default
 * @param fillMore adds rows before it is served
 */
export async function startForum(
  filling = smallForum,
  databaseUrl?: string,
  fillMore: (db: Database) => Promise<void> = async () => {},
): Promise<BenchForum> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
  const bytesPerComment = await fillDatabase({ dataDir, databaseUrl }, filling, fillMore);
  const server = await startServer({
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  });
  await untilIndexed({ dataDir, databaseUrl });
  const client = new ForumClient(server.url);
  const { token } = (await (await signIn(client, 0)).json()) as SignedIn;
  const commentRequests = Array.from({ length: smallForum.channels }, (_, index) =>
    put(apiRoutes.comment, token, { id: filled.channelId(index), comment: filled.text }),
  );
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { client, server, token, commentRequests, bytesPerComment, stop };
}

/** @param account index of an account in the filled forum */
export function signIn(client: ForumClient, account: number): Promise<Response> {
  return client.signIn(filled.email(account), password);
}

async function fillDatabase(
  site: SiteData,
  filling: Filling,
  fillMore: (db: Database) => Promise<void>,
): Promise<number> {
  const db = await openNewSite(site);
  const isPostgres = site.databaseUrl !== undefined;
  try {
    const nowMs = Date.now();
    await fillChannels(db, filling, { passwordHash: await hashPassword(password), nowMs });
    const before = await bytesOf(db, isPostgres);
    await fillComments(db, filling, nowMs);
    const after = await bytesOf(db, isPostgres);
    await fillMore(db);
    return (after - before) / filling.comments;
  } finally {
    await db.destroy();
  }
}

async function bytesOf(db: Database, isPostgres: boolean): Promise<number> {
  const query = isPostgres
    ? sql<{ bytes: number }>`select pg_total_relation_size('comments') as bytes`
    : sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()
      `;
  const { rows } = await query.execute(db);
  return rows[0]?.bytes ?? 0;
}
