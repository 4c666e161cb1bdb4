import { type SqlBool, sql } from 'kysely';
import { type CommentKey, commentId } from '../../../shared/comment-id.ts';
import type { CommentPoll, CommentVote } from '../../../shared/polls.ts';
import { lockOpenAccount } from '../../accounts/standing/open-account.ts';
import { findStanding, restrictionError } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import type { CommentServices } from '../comments/post-comment.ts';
import { isCommentVisible, lockVisibleChannel } from '../comments/stored-comments.ts';
import { findPolls, isClosed, readPolls } from './poll-rows.ts';

/** Chosen options of one account in a list. */
const maxChosen = 2000;

/**
 * Votes in the poll of a comment, or replaces the vote in a named one. It announces nothing, as public answers do not
 * change before the poll is closed.
 * @param positions of the chosen options, each once
 * @throws ApiError `already_voted`, `channel_not_found`, `comment_not_found`, `invalid_fields`, `not_signed_in`, `poll_closed`,
 * `poll_not_found`; `silenced` when a hidden account votes secretly
 */
export async function castVote(
  { withTransaction, now }: CommentServices,
  callerId: string,
  { channelId, number }: CommentKey,
  positions: number[],
): Promise<CommentVote> {
  return withTransaction(`channel ${channelId}`, async (trx) => {
    // A decision that hides the account either finds this vote or waits for it.
    if (!(await lockOpenAccount(trx, 'id', callerId))) throw new ApiError('not_signed_in');
    // The pass that closes the poll waits for this vote.
    await lockVisibleChannel(trx, channelId);
    if (!(await isCommentVisible(trx, { channelId, number })))
      throw new ApiError('comment_not_found');
    const nowMs = now();
    const polls = await findPolls(trx, [{ channel_id: channelId, number }]);
    const poll = polls.get(commentId(channelId, number));
    if (!poll) throw new ApiError('poll_not_found');
    // Its vote could not be taken out of the counts any more.
    if (poll.secret) await requireShown(trx, callerId, nowMs);
    if (poll.isClosed || Date.parse(poll.closesAt) <= nowMs) throw new ApiError('poll_closed');
    requireOptions(poll, positions);
    const row = { channel_id: channelId, number, account_id: callerId };
    await (poll.secret ? storeSecretVote(trx, row, positions) : storeVote(trx, row, positions));
    const [vote] = await listVotes(trx, callerId, { channelId, from: number, to: number });
    return vote ?? { channelId, number, options: null, result: null };
  });
}

/** @throws ApiError `silenced` */
async function requireShown(trx: Database, accountId: string, nowMs: number): Promise<void> {
  const standing = await findStanding(trx, accountId, nowMs);
  if (!standing?.isHidden) return;
  throw standing.restriction ? restrictionError(standing.restriction) : new ApiError('silenced');
}

/** @throws ApiError `invalid_fields` */
function requireOptions({ multiple, options }: CommentPoll, positions: number[]): void {
  const reject = (message: string) => {
    throw new ApiError('invalid_fields', { errors: [{ field: 'options', message }] });
  };
  if (positions.some((position) => !options[position])) {
    reject('Esa opción no es de esta encuesta. Elige otra.');
  }
  if (!multiple && positions.length > 1) reject('Elige una sola opción.');
}

interface VoterKey {
  channel_id: string;
  number: number;
  account_id: string;
}

async function storeVote(trx: Database, row: VoterKey, positions: number[]): Promise<void> {
  await trx
    .deleteFrom('poll_votes')
    .where('account_id', '=', row.account_id)
    .where('channel_id', '=', row.channel_id)
    .where('number', '=', row.number)
    .where('position', 'not in', positions)
    .execute();
  await trx
    .insertInto('poll_votes')
    .values(positions.map((position) => ({ ...row, position })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Stores that somebody has voted, and counts the vote. All counters are written with each vote, so that PostgreSQL's
 * `xmin` does not say which of them changed together with the row of the voter.
 */
async function storeSecretVote(trx: Database, row: VoterKey, positions: number[]): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('secret_voters')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (Number(numInsertedOrUpdatedRows ?? 0) === 0) throw new ApiError('already_voted');
  await trx
    .updateTable('secret_counts')
    .set(({ eb }) => ({
      voters: eb('voters', '+', 1),
      votes: sql`votes + case when position in (${sql.join(positions)}) then 1 else 0 end`,
    }))
    .where('channel_id', '=', row.channel_id)
    .where('number', '=', row.number)
    .execute();
}

/** Whether an account has voted in a poll. A vote in a secret one is in another table. */
const hasVoted = (table: 'poll_votes' | 'secret_voters', accountId: string) => sql<SqlBool>`exists (
  select 1 from ${sql.table(table)} as own where own.account_id = ${accountId}
    and own.channel_id = polls.channel_id and own.number = polls.number)`;

/**
 * The votes of an account in the polls of comments in a range of a channel. They have the present result of named ones,
 * and that of closed ones.
 */
export async function listVotes(
  db: Database,
  accountId: string,
  { channelId, from, to }: { channelId: string; from: number; to: number },
): Promise<CommentVote[]> {
  const isInRange = sql<SqlBool>`channel_id = ${channelId} and number >= ${from} and number <= ${to}`;
  const polls = await readPolls(
    db,
    sql<SqlBool>`${isInRange}
      and (${hasVoted('poll_votes', accountId)} or ${hasVoted('secret_voters', accountId)})`,
    sql<SqlBool>`(is_secret = 0 or ${isClosed})`,
  );
  if (polls.size === 0) return [];
  const { rows } = await sql<{ number: number; position: number }>`
    select number, position from poll_votes where account_id = ${accountId} and ${isInRange}
    order by number, position limit ${sql.lit(maxChosen)}`.execute(db);
  return [...polls].map(([id, { secret, voters, options }]) => {
    const number = Number(id.slice(channelId.length + 1));
    const chosen = rows.filter((row) => row.number === number);
    return {
      channelId,
      number,
      options: secret ? null : chosen.map(({ position }) => position),
      result: voters === null ? null : { voters, votes: options.map(({ votes }) => votes ?? 0) },
    };
  });
}
