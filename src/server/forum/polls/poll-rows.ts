import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type CommentKey, commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { CommentPoll } from '../../../shared/polls.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { type CommentRowKey, isAt } from '../comments/comment-keys.ts';
import type { PollContent } from './poll-content.ts';

/** Stores the poll of a comment, in the transaction that stores it. */
export async function insertPoll(
  trx: Database,
  { channelId, number }: CommentKey,
  { multiple, secret, closesAt, options }: PollContent,
): Promise<void> {
  const key = { channel_id: channelId, number };
  await trx
    .insertInto('polls')
    .values({
      ...key,
      is_multiple: Number(multiple),
      is_secret: Number(secret),
      closes_at_ms: Date.parse(closesAt),
      closed_at_ms: null,
      restarted_at_ms: null,
    })
    .execute();
  const rows = options.map(({ text, start }, position) => ({
    ...key,
    position,
    text,
    start_time: start,
  }));
  await trx.insertInto('poll_options').values(rows).execute();
  if (!secret) return;
  const counts = rows.map(({ position }) => ({ ...key, position }));
  await trx.insertInto('secret_counts').values(counts).execute();
}

/** The polls of those of these comments that carry one, as everybody sees them, by comment id. Makes one query. */
export const findPolls = async (
  db: Database,
  keys: CommentRowKey[],
): Promise<Map<string, CommentPoll>> =>
  keys.length > 0 ? readPolls(db, isAt(keys), isClosed) : new Map();

/** SQL condition on `polls`: visitors see the comment. A subquery per row, as PostgreSQL would read all comments. */
export const isPollVisible = sql<SqlBool>`(select 1 from visible_comments
  where visible_comments.channel_id = polls.channel_id
    and visible_comments.number = polls.number) = 1`;

export const isClosed = sql<SqlBool>`closed_at_ms is not null`;

interface Row extends CommentRowKey {
  is_multiple: number;
  is_secret: number;
  closes_at_ms: number;
  closed_at_ms: number | null;
  restarted_at_ms: number | null;
  position: number;
  text: string;
  start_time: string | null;
  votes: number | null;
  voters: number | null;
}

/** SQL condition on `poll_votes`: votes of hidden accounts do not count. Not for each row, as thousands may have voted. */
const isCounted = sql<SqlBool>`account_id not in (select id from accounts where hidden_by is not null)`;

/**
 * The polls that meet a condition, by comment id.
 * @param isMeant condition on the key of `polls`
 * @param areCountsShown condition on `polls`: their votes are counted
 */
export async function readPolls(
  db: Database,
  isMeant: RawBuilder<SqlBool>,
  areCountsShown: RawBuilder<SqlBool>,
): Promise<Map<string, CommentPoll>> {
  const ofPoll = sql`channel_id = polls.channel_id and number = polls.number`;
  const ofOption = sql`${ofPoll} and position = options.position`;
  // The first row of each poll has the number of voters, where it is not the sum of the votes.
  const { rows } = await sql<Row>`
    select polls.*, options.position, options.text, options.start_time,
      case when not ${areCountsShown} then null
        when is_secret = 1 then (select votes from secret_counts where ${ofOption})
        else (select count(*) from poll_votes where ${ofOption} and ${isCounted}) end as votes,
      case when not ${areCountsShown} or options.position > 0 then null
        when is_secret = 1 then (select voters from secret_counts where ${ofOption})
        when is_multiple = 1 then (select count(distinct account_id) from poll_votes where ${ofPoll} and ${isCounted})
        end as voters
    from polls join poll_options as options using (channel_id, number)
    where ${isMeant}`.execute(db);
  rows.sort((one, other) => one.number - other.number || one.position - other.position);
  const byComment = Map.groupBy(rows, (row) => commentId(row.channel_id, row.number));
  return new Map(
    [...byComment].flatMap(([id, [first, ...others]]) =>
      first ? [[id, toPoll([first, ...others])] as const] : [],
    ),
  );
}

function toPoll(rows: [Row, ...Row[]]): CommentPoll {
  const [{ is_multiple, is_secret, closes_at_ms, closed_at_ms, restarted_at_ms, ...first }] = rows;
  const areShown =
    first.votes !== null && !(is_secret === 1 && (first.voters ?? 0) < limits.fewestSecretVoters);
  const sum = rows.reduce((total, { votes }) => total + (votes ?? 0), 0);
  return {
    multiple: is_multiple === 1,
    secret: is_secret === 1,
    closesAt: toInstant(closes_at_ms),
    isClosed: closed_at_ms !== null,
    restartedAt: restarted_at_ms === null ? null : toInstant(restarted_at_ms),
    voters: areShown ? (first.voters ?? sum) : null,
    options: rows.map(({ position, text, start_time, votes }) => ({
      position,
      text,
      start: start_time,
      votes: areShown ? votes : null,
    })),
  };
}
