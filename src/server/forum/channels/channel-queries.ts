import { expressionBuilder, sql } from 'kysely';
import type { Channel, ChannelOrder, ChannelPage } from '../../../shared/channels.ts';
import { limits } from '../../../shared/limits.ts';
import { type Database, type Tables, toInstant, type Views } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { dayMs } from '../../system/times.ts';
import { listHomeAnnouncements } from '../announcements/home-announcements.ts';
import { listFirstComments } from '../comments/comment-pages.ts';
import { type ChannelCursor, formatChannelCursor, parseChannelCursor } from '../cursors.ts';
import { listChannelDates, listHomeDates } from '../events/calendar.ts';
import { listChannelDocuments } from '../files/list-documents.ts';
import { listOpenPolls } from '../polls/open-polls.ts';

export interface ChannelServices {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

export type NewChannelRow = Pick<
  Tables['channels'],
  'name' | 'description' | 'cover' | 'cover_alt'
>;

interface ListOptions {
  order: ChannelOrder;
  limit: number;
  /** Maximum number of embedded comments per channel, oldest first. */
  embed: number;
  /** `next` of the previous page. */
  after?: string | undefined;
  /** Lists the channels of this account only. */
  authorId?: string;
}

/** Like `listChannels`; the first page also has the pinned channels, the announcements of these days and the next dates. @throws InvalidCursor */
export async function listHomeChannels(
  db: Database,
  options: ListOptions,
  nowMs: number,
): Promise<ChannelPage> {
  const page = await listChannels(db, options);
  if (options.after !== undefined) return page;
  const upcoming = await listHomeDates(db, nowMs);
  const announcements = await listHomeAnnouncements(db, nowMs);
  return { ...page, pinned: await listPinnedChannels(db), announcements, upcoming };
}

/**
 * One page of channels in this order, newest first among equals, each with its oldest comments.
 * @throws InvalidCursor
 */
export async function listChannels(db: Database, options: ListOptions): Promise<ChannelPage> {
  const { order, limit, embed, after, authorId } = options;
  const column = sortColumns[order];
  let query = selectChannels(db)
    .$if(column !== undefined, (ordered) =>
      ordered.orderBy(`visible_channels.${column as SortColumn}`, 'desc'),
    )
    .orderBy('visible_channels.id', 'desc')
    // One more row than the page has, to know whether another page follows.
    .limit(limit + 1);
  if (authorId !== undefined) query = query.where('visible_channels.account_id', '=', authorId);
  if (after !== undefined) query = query.where(isAfter(parseChannelCursor(order, after)));
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: await withComments(db, page, embed),
    next: rows.length > limit && last ? formatChannelCursor(cursorAt(order, last)) : null,
  };
}

/** Channels pinned to the top of the home page, most recently pinned first, without comments. */
export async function listPinnedChannels(db: Database): Promise<Channel[]> {
  const rows = await selectChannels(db)
    .where('visible_channels.pinned_at_ms', 'is not', null)
    .orderBy('visible_channels.pinned_at_ms', 'desc')
    .orderBy('visible_channels.id', 'desc')
    // More than the maximum can be pinned, when a hidden one is shown again.
    .limit(limits.pinnedChannels)
    .execute();
  return rows.map(toChannel);
}

/**
 * The channels with most visible comments of the last seven days, of the twenty in which somebody wrote last. Of a channel
 * the newest two hundred comments are counted.
 */
export async function listLivelyChannels(
  db: Database,
  nowMs: number,
  limit: number,
): Promise<{ id: string; name: string; description: string }[]> {
  const sinceMs = nowMs - 7 * dayMs;
  const { rows } = await sql<{ id: string; name: string; description: string }>`
    select id, name, description from (
      select id, name, description,
        (select count(*) from (select created_at_ms from visible_comments
            where channel_id = recent.id order by number desc limit 200) as newest
          where created_at_ms > ${sinceMs}) as comments
      from (select id, name, description from visible_channels where active_at_ms > ${sinceMs}
        order by active_at_ms desc, id desc limit 20) as recent) as counted
    where comments > 0 order by comments desc, id limit ${limit}`.execute(db);
  return rows;
}

type SortColumn = 'comment_count' | 'active_at_ms';

/** The column that precedes the id in each sort order. */
const sortColumns = {
  comments: 'comment_count',
  activity: 'active_at_ms',
  new: undefined,
} as const satisfies Record<ChannelOrder, SortColumn | undefined>;

function isAfter(cursor: ChannelCursor) {
  const eb = expressionBuilder<Views, 'visible_channels'>();
  if (cursor.order === 'new') return eb('visible_channels.id', '<', cursor.id);
  const value = cursor.order === 'comments' ? cursor.commentCount : cursor.activeAtMs;
  const column = `visible_channels.${sortColumns[cursor.order]}` as const;
  return eb(eb.refTuple(column, 'visible_channels.id'), '<', eb.tuple(value, cursor.id));
}

function cursorAt(order: ChannelOrder, row: ChannelRow): ChannelCursor {
  if (order === 'comments') return { order, commentCount: row.comment_count, id: row.id };
  if (order === 'activity') return { order, activeAtMs: row.active_at_ms, id: row.id };
  return { order, id: row.id };
}

/** The channel with at most `embed` of its oldest comments. */
export async function findChannel(
  db: Database,
  id: string,
  embed: number,
): Promise<Channel | undefined> {
  const rows = await selectChannels(db).where('visible_channels.id', '=', id).execute();
  const [channel] = await withComments(db, rows, embed);
  return channel;
}

/** Like `findChannel`. @throws ApiError `channel_not_found` */
export async function requireChannel(db: Database, id: string, embed: number): Promise<Channel> {
  const channel = await findChannel(db, id, embed);
  if (!channel) throw new ApiError('channel_not_found');
  return channel;
}

/** Like `requireChannel`, with the next dates, the open polls and the latest files of the channel. */
export async function requireShownChannel(
  db: Database,
  id: string,
  embed: number,
): Promise<Channel> {
  const channel = await requireChannel(db, id, embed);
  const upcoming = await listChannelDates(db, id);
  const polls = await listOpenPolls(db, limits.asideItems, id);
  const documents = await listChannelDocuments(db, id);
  return {
    ...channel,
    ...(upcoming.length > 0 && { upcoming }),
    ...(polls.length > 0 && { polls }),
    ...(documents.length > 0 && { documents }),
  };
}

/** The visible channels with these ids, in the same order, without comments. */
export async function listChannelsById(db: Database, ids: string[]): Promise<Channel[]> {
  if (ids.length === 0) return [];
  const rows = await selectChannels(db).where('visible_channels.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, toChannel(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function withComments(db: Database, rows: ChannelRow[], embed: number): Promise<Channel[]> {
  const comments = await listFirstComments(db, rows, embed);
  return rows.map((row) => ({ ...toChannel(row), comments: comments.get(row.id) ?? [] }));
}

/** Selects visible channels with their authors; callers add conditions and order. */
function selectChannels(db: Database) {
  return db
    .selectFrom('visible_channels')
    .innerJoin('accounts', 'accounts.id', 'visible_channels.account_id')
    .selectAll('visible_channels')
    .select(['accounts.name as autor', 'accounts.img as autor_img']);
}

type ChannelRow = Awaited<ReturnType<ReturnType<typeof selectChannels>['execute']>>[number];

export function toChannel(row: ChannelRow): Channel {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    cover: row.cover,
    coverAlt: row.cover_alt,
    autor: row.autor,
    autorId: row.account_id,
    autorImg: row.autor_img ?? '',
    comments: [],
    commentCount: row.comment_count,
    removedCount: row.last_comment_number - row.comment_count,
    createdAt: toInstant(row.created_at_ms),
    revision: row.revision,
    editedAt: row.edited_at_ms === null ? null : toInstant(row.edited_at_ms),
    closedAt: row.closed_at_ms === null ? null : toInstant(row.closed_at_ms),
    isPinned: row.pinned_at_ms !== null,
    lastCommentAt: row.comment_count > 0 ? toInstant(row.active_at_ms) : null,
  };
}
