// As fast as SQLite takes comments on this disk: what a comment writes, one transaction each.
import { DatabaseSync } from 'node:sqlite';
import { pick } from './pick.ts';

interface InsertJob {
  file: string;
  channelIds: string[];
  texts: string[];
  seconds: number;
}

process.once('message', (job: InsertJob) => {
  process.send?.(run(job), () => process.exit());
});

function run({ file, channelIds, texts, seconds }: InsertJob): number {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const raise = db.prepare(
    `update channels set comment_count = comment_count + 1,
      last_comment_number = last_comment_number + 1 where id = ? returning last_comment_number`,
  );
  const insert = db.prepare(
    `insert into comments (channel_id, number, account_id, text, created_at_ms)
      values (?, ?, ?, ?, ?)`,
  );
  const author = db.prepare('select id from accounts').get()?.id ?? null;
  const startMs = performance.now();
  let written = 0;
  for (; performance.now() < startMs + seconds * 1000; written++) {
    const channelId = pick(channelIds, written);
    db.exec('begin');
    const number = raise.get(channelId)?.last_comment_number ?? null;
    insert.run(channelId, number, author, pick(texts, written), Date.now());
    db.exec('commit');
  }
  return written / ((performance.now() - startMs) / 1000);
}
