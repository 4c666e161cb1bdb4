import { type SqlBool, sql } from 'kysely';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment, CommentImage } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { ownWords } from '../../../shared/own-words.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { findNames } from '../../texts/mention-names.ts';
import {
  mentionedAccounts,
  type Names,
  readText,
  type StoredText,
} from '../../texts/stored-text.ts';
import { beginning, readBeginning } from '../../texts/text-beginnings.ts';
import { wholeText } from '../../texts/whole-text.ts';
import { findAnnouncements } from '../announcements/announcement-rows.ts';
import { findEvents } from '../events/event-rows.ts';
import { findCommentFiles } from '../files/comment-files.ts';
import { findPolls } from '../polls/poll-rows.ts';
import { isPublic } from '../visible-rows.ts';
import { type CommentRowKey, isAt } from './comment-keys.ts';

/** Characters of a comment that are shown where it is named: in a reply to it, and on the home page. */
export const excerptChars = 100;
/** Characters to read for them: a mention takes more than are shown. */
const readChars = 4 * excerptChars;

/** Selects visible comments with their authors and counts; callers add conditions and order. */
export function selectComments(db: Database) {
  return db
    .selectFrom('visible_comments')
    .innerJoin('accounts', 'accounts.id', 'visible_comments.account_id')
    .selectAll('visible_comments')
    .select(['accounts.name as autor', 'accounts.img as autor_img', 'accounts.role as autor_role'])
    .select([
      replyCount('visible_comments').as('reply_count'),
      thanksCount('visible_comments').as('thanks_count'),
    ]);
}

type Comments = 'comments' | 'visible_comments';

/** Number of public replies to each comment, whose channel must be visible. */
export const replyCount = (table: Comments) => sql<number>`(
  select count(*) from comments as answers
  where answers.channel_id = ${sql.ref(`${table}.channel_id`)}
    and answers.reply_to = ${sql.ref(`${table}.number`)} and answers.reply_to is not null
    and ${isPublic('answers')}
)`;

/** Number of people visible to visitors who thanked each comment. */
export const thanksCount = (table: Comments) => sql<number>`(
  select count(*) from comment_thanks
  where comment_thanks.channel_id = ${sql.ref(`${table}.channel_id`)}
    and comment_thanks.number = ${sql.ref(`${table}.number`)}
    and ${isThankfulNamed}
)`;

/** A subquery per row, because PostgreSQL would read all accounts for a join. */
const isThankfulNamed = sql<SqlBool>`(
  select 1 from accounts where accounts.id = comment_thanks.account_id and ${isListed}) = 1`;

export type CommentRow = Awaited<ReturnType<ReturnType<typeof selectComments>['execute']>>[number];

/**
 * Builds the comments of these rows with data from other rows: the comments that they reply to, names in mentions,
 * images, files, names of people who gave thanks, dates, polls and announcements. Makes at most ten queries for up to a
 * hundred comments.
 */
export async function completeComments(db: Database, rows: CommentRow[]): Promise<Comment[]> {
  const originals = await findBeginnings(
    db,
    rows.flatMap(({ channel_id, reply_to }) =>
      reply_to === null ? [] : [{ channel_id, number: reply_to }],
    ),
  );
  const texts = [...rows, ...originals.values()].map(({ text }) => text);
  const isNaming = mentionedAccounts(texts).size > 0;
  const names: Names = isNaming ? await findNames(db, texts) : new Map();
  const images = await findImages(db, rows);
  const files = await findCommentFiles(db, rows);
  const thankful = rows.filter((row) => row.thanks_count > 0);
  const thanks = await findThanks(db, thankful);
  const events = await findEvents(
    db,
    rows.filter(({ carries }) => carries === 'event'),
  );
  const polls = await findPolls(
    db,
    rows.filter(({ carries }) => carries === 'poll'),
  );
  const announcements = await findAnnouncements(
    db,
    rows.filter((row) => row.is_announcement === 1),
  );
  return rows.map((row) => {
    const id = idOf(row);
    const { channel_id, reply_to } = row;
    const original =
      reply_to === null ? undefined : originals.get(idOf({ channel_id, number: reply_to }));
    const { text, mentions } = readText(row.text, names);
    return {
      id,
      channelId: channel_id,
      number: row.number,
      autor: row.autor,
      autorId: row.account_id,
      autorImg: row.autor_img ?? '',
      comment: text,
      createdAt: toInstant(row.created_at_ms),
      revision: row.revision,
      editedAt: row.edited_at_ms === null ? null : toInstant(row.edited_at_ms),
      replyTo: reply_to,
      replyAutor: original?.autor ?? '',
      replyExcerpt: original ? beginning(original.text, names, excerptChars) : '',
      replyCount: row.reply_count,
      mentions,
      images: images.get(id) ?? [],
      files: files.get(id) ?? [],
      thanks: { count: row.thanks_count, names: thanks.get(id) ?? [] },
      event: events.get(id) ?? null,
      poll: polls.get(id) ?? null,
      announcement: announcements.get(id) ?? null,
      // Last, because V8 is slow at adding properties after a spread object.
      ...(row.autor_role === 'member' ? {} : { autorRole: row.autor_role }),
      ...(row.person_id === row.account_id && { autorImported: true as const }),
    };
  });
}

/** Authors and beginnings of those of these comments that are visible, by comment id. */
export async function findBeginnings(db: Database, keys: CommentRowKey[]) {
  if (keys.length === 0) return new Map<string, never>();
  const found = await db
    .selectFrom('visible_comments')
    .select([
      'channel_id',
      'number',
      readBeginning(wholeText('visible_comments'), readChars).as('text'),
    ])
    .select(nameOf('visible_comments.account_id').as('autor'))
    .where(isAt(keys))
    .execute();
  return new Map(
    found.map((row) => [idOf(row), { autor: row.autor, text: ownWords(row.text) as StoredText }]),
  );
}

async function findImages(db: Database, rows: CommentRow[]): Promise<Map<string, CommentImage[]>> {
  const keys = rows.filter((row) => row.image_count > 0);
  if (keys.length === 0) return new Map();
  const found = await db
    .selectFrom('comment_images')
    .select(['channel_id', 'number', 'position', 'url', 'alt'])
    .where(isAt(keys))
    .execute();
  const inOrder = found.sort((one, other) => one.position - other.position);
  return groupByComment(inOrder, ({ url, alt }) => ({ url, alt }));
}

/** Names of the listed people who thanked each comment most recently, newest first, by comment id. */
async function findThanks(db: Database, keys: CommentRowKey[]): Promise<Map<string, string[]>> {
  if (keys.length === 0) return new Map();
  const columns = Array.from({ length: limits.thanksNames }, (_, index) => `name${index}`);
  const found = await db
    .selectFrom('visible_comments')
    .select(['channel_id', 'number'])
    .select(columns.map((column, index) => thankfulName(index).as(column)))
    .where(isAt(keys))
    .execute();
  return new Map(
    found.map((row) => {
      const names = columns.map((column) => (row as Record<string, unknown>)[column]);
      return [idOf(row), names.filter((name) => typeof name === 'string')];
    }),
  );
}

/** One subquery per name reads few index entries, however many thanks the comment has. */
const thankfulName = (index: number) => sql<string | null>`(
  select accounts.name from comment_thanks join accounts on accounts.id = comment_thanks.account_id
  where comment_thanks.channel_id = visible_comments.channel_id
    and comment_thanks.number = visible_comments.number
    and ${isListed}
  order by comment_thanks.created_at_ms desc, comment_thanks.account_id desc
  limit 1 offset ${index}
)`;

/** A subquery, because PostgreSQL would overestimate the rows of a join and read all accounts. */
const nameOf = (accountId: string) =>
  sql<string>`(select accounts.name from accounts where accounts.id = ${sql.ref(accountId)})`;

function groupByComment<Row extends CommentRowKey, T>(
  rows: Row[],
  toItem: (row: Row) => T,
): Map<string, T[]> {
  const groups = Map.groupBy(rows, idOf);
  return new Map([...groups].map(([id, ofComment]) => [id, ofComment.map(toItem)]));
}

const idOf = ({ channel_id, number }: CommentRowKey) => commentId(channel_id, number);

/** The leading items that total at most `maxBytes`; always includes the first. */
export function firstWithin<T>(maxBytes: number, items: T[], bytesOf: (item: T) => number): T[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += bytesOf(item);
    return bytes > maxBytes && index > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** Bytes of a comment in a JSON list, including the comma after it. */
export function jsonBytes(comment: Comment): number {
  return Buffer.byteLength(JSON.stringify(comment)) + 1;
}
