import { type SqlBool, sql } from 'kysely';
import { commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { Notice, NoticePage } from '../../../shared/notices.ts';
import { ownWords } from '../../../shared/own-words.ts';
import { formatNoticeCursor, parseNoticeCursor } from '../../database/cursors.ts';
import { findNames } from '../../database/mention-names.ts';
import type { StoredText } from '../../database/stored-text.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { beginning, readBeginning } from '../../database/text-beginnings.ts';
import type { Transact } from '../../database/transactions.ts';
import { isNamed } from '../../database/visible-rows.ts';
import { type CommentRowKey, isAt } from '../comments/comment-details.ts';
import { listFollowed } from '../reading/channel-levels.ts';

/** As many of the newest notices that are shown are listed, and of the newest, shown or not, counted. */
const listedNotices = 1000;

/**
 * Whether visitors are shown what a notice is about. A subquery for each row: PostgreSQL would read all comments for a
 * join.
 */
const isShown = sql<SqlBool>`(select 1 from visible_comments
    where visible_comments.channel_id = notices.channel_id
      and visible_comments.number = notices.number) = 1
  and (notices.kind <> 'thanks' or (select 1 from comment_thanks
    join accounts on accounts.id = comment_thanks.account_id
    where comment_thanks.channel_id = notices.channel_id and comment_thanks.number = notices.number
      and comment_thanks.account_id = notices.actor_id and ${isNamed}) = 1)`;

/** Whether a notice is of thanks, or its comment is not read. */
const isUnread = (accountId: string) =>
  sql<SqlBool>`(notices.kind = 'thanks' or notices.number > coalesce((
    select read.number from reading_positions as read
    where read.account_id = ${accountId} and read.channel_id = notices.channel_id), 0))`;

/**
 * Counts the lines of notices that are new to an account, as they are merged by channel and kind. First finds those that
 * may be new: most accounts have none, and a query of views costs PostgreSQL more to plan than to run. Of each it then
 * looks for one notice whose comment is shown.
 */
export async function countNewNotices(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select channel_id, kind, max(number) as number, max(id) as id from (
        select * from notices where account_id = ${accountId}
          and id > (select notices_seen_id from accounts where id = ${accountId})
        order by id desc limit ${sql.lit(listedNotices)}) as newest
      group by channel_id, kind) as notices
    where ${isUnread(accountId)}`.execute(db);
  if (rows.length === 0) return 0;
  const ids = sql.join(rows.map(({ id }) => id));
  const lines = await sql<{ count: number }>`
    select count(*) as count from notices as line where id in (${ids}) and (
      select 1 from notices where account_id = ${accountId}
        and channel_id = line.channel_id and kind = line.kind
        and id > (select notices_seen_id from accounts where id = ${accountId})
        and ${isUnread(accountId)} and ${isShown}
      limit 1) = 1`.execute(db);
  return Number(lines.rows[0]?.count);
}

interface NoticeRow extends CommentRowKey {
  id: number;
  kind: Notice['kind'];
  actor_id: string;
  created_at_ms: number;
  is_new: number;
}

/**
 * A page of an account's notices, merged by channel and kind, and before it the channels that it follows. On each page
 * those are new that were when the first one was read, which marks them as seen.
 * @throws InvalidCursor
 */
export async function listNotices(
  db: Database,
  accountId: string,
  after: string | undefined,
): Promise<NoticePage> {
  const { before, seen } =
    after === undefined
      ? { before: Number.POSITIVE_INFINITY, seen: await findSeen(db, accountId) }
      : parseNoticeCursor(after);
  const merged = await mergeNotices(db, accountId, seen);
  // Only groups that begin below: what was on an earlier page may have grown.
  const rest = merged.filter(([newest]) => newest.id < before);
  const page = rest.slice(0, limits.noticesPerPage);
  const last = page.at(-1)?.[0];
  return {
    data: await completeNotices(db, page),
    channels: after === undefined ? await listFollowed(db, accountId) : [],
    next: rest.length > page.length && last ? formatNoticeCursor(last.id, seen) : null,
  };
}

/** Notices of one channel and kind that are all new, or all not, the latest first. */
type Merged = [NoticeRow, ...NoticeRow[]];

/** Of notices with ids above one, up to another. */
interface IdRange {
  after: number;
  upTo: number;
}

/**
 * The notices of a range that are new, merged as in the list, without those of channels that the account silenced since.
 * @returns at most this many of them, the latest first, and how many more there are
 */
export async function listNewNotices(
  db: Database,
  accountId: string,
  range: IdRange,
  most: number,
): Promise<{ data: Notice[]; more: number }> {
  const merged = await mergeNotices(db, accountId, await findSeen(db, accountId), range);
  const silenced = await listSilenced(db, accountId);
  const fresh = merged.filter(
    ([{ is_new, channel_id }]) => is_new === 1 && !silenced.has(channel_id),
  );
  const data = await completeNotices(db, fresh.slice(0, most));
  return { data, more: Math.max(0, fresh.length - most) };
}

/** The ids of the channels of which an account wants no news. */
async function listSilenced(db: Database, accountId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('reading_positions')
    .select('channel_id')
    .where('account_id', '=', accountId)
    .where('level', '=', 'none')
    .execute();
  return new Set(rows.map(({ channel_id }) => channel_id));
}

/** The newest notice that an account has seen in the list. */
async function findSeen(db: Database, accountId: string): Promise<number> {
  const { notices_seen_id } = await db
    .selectFrom('accounts')
    .select('notices_seen_id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return notices_seen_id;
}

const allIds: IdRange = { after: 0, upTo: Number.MAX_SAFE_INTEGER };

async function mergeNotices(
  db: Database,
  accountId: string,
  seen: number,
  { after, upTo } = allIds,
): Promise<Merged[]> {
  const { rows } = await sql<NoticeRow>`
    select id, kind, channel_id, number, actor_id, created_at_ms,
      case when id > ${sql.lit(seen)} and ${isUnread(accountId)} then 1 else 0 end as is_new
    from notices
    where account_id = ${accountId} and id > ${sql.lit(after)} and id <= ${sql.lit(upTo)}
      and ${isShown}
    order by id desc limit ${sql.lit(listedNotices)}`.execute(db);
  const groups = Map.groupBy(rows, ({ channel_id, kind, is_new }) =>
    [channel_id, kind, is_new].join(),
  );
  return [...groups.values()] as Merged[];
}

async function completeNotices(db: Database, page: Merged[]): Promise<Notice[]> {
  if (page.length === 0) return [];
  const shown = page.map((rows) => {
    const [newest] = rows;
    const numbers = rows.map(({ number }) => number);
    return {
      newest,
      channel_id: newest.channel_id,
      number: newest.is_new ? Math.min(...numbers) : newest.number,
      actors: [...new Set(rows.map(({ actor_id }) => actor_id))],
    };
  });
  const actorIds = shown.flatMap(({ actors }) => actors.slice(0, limits.noticePeople));
  const people = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'img'])
    .where('id', 'in', [...new Set(actorIds)])
    .execute();
  const peopleById = new Map(people.map(({ img, ...one }) => [one.id, { ...one, img: img ?? '' }]));
  const channelIds = shown.map(({ channel_id }) => channel_id);
  const channels = await db
    .selectFrom('visible_channels')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(channelIds)])
    .execute();
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const excerpts = await findExcerpts(db, shown);
  return shown.map(({ newest, channel_id, number, actors }) => ({
    id: newest.id,
    kind: newest.kind,
    channel: { _id: channel_id, name: names.get(channel_id) ?? '' },
    number,
    people: actors.slice(0, limits.noticePeople).flatMap((id) => peopleById.get(id) ?? []),
    count: actors.length,
    excerpt: excerpts.get(commentId(channel_id, number)) ?? '',
    createdAt: toInstant(newest.created_at_ms),
    isNew: newest.is_new === 1,
  }));
}

/** The beginnings of comments, by their ids. */
async function findExcerpts(db: Database, keys: CommentRowKey[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('visible_comments')
    .select(['channel_id', 'number', readBeginning('text').as('text')])
    .where(isAt(keys))
    .execute();
  const names = await findNames(
    db,
    rows.map(({ text }) => text),
  );
  return new Map(
    rows.map(({ channel_id, number, text }) => [
      commentId(channel_id, number),
      beginning(ownWords(text) as StoredText, names),
    ]),
  );
}

/** Marks an account's notices as seen, up to one of them. A smaller id than before changes nothing. */
export async function markSeen(
  { transact }: { transact: Transact },
  accountId: string,
  id: number,
): Promise<void> {
  // An id that is none of its own yet must not hide later ones.
  const newest = sql<number>`(select max(id) from notices
    where account_id = ${accountId} and id <= ${id})`;
  await transact(`account ${accountId}`, (trx) =>
    trx
      .updateTable('accounts')
      .set({ notices_seen_id: newest })
      .where('id', '=', accountId)
      .where('notices_seen_id', '<', newest)
      .execute(),
  );
}
