import { type SqlBool, sql } from 'kysely';
import { type CommentKey, commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { CommentPoll, CommentVote, PollResult } from '../../../shared/polls.ts';
import { lockOpenAccount } from '../../accounts/standing/open-account.ts';
import { findRestriction, restrictionError } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { type CommentRowKey, isAt } from '../comments/comment-keys.ts';
import type { CommentServices } from '../comments/post-comment.ts';
import { isCommentVisible } from '../comments/stored-comments.ts';
import { isClosed, isPollVisible, readPolls } from './poll-rows.ts';

/** Chosen options of one account in a list. */
const maxChosen = limits.listItems * limits.pollOptions;

/**
 * Votes in the poll of a comment, or replaces the vote in a named one. It announces nothing, as public answers do not
 * change before the poll is closed.
 * @param positions of the chosen options, each once
 * @throws ApiError `already_voted`, `comment_not_found`, `invalid_fields`, `not_signed_in`, `poll_closed`,
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
    const row = { channel_id: channelId, number, account_id: callerId };
    const poll = await lockPoll(trx, row);
    const nowMs = now();
    // Its vote could not be taken out of the counts any more.
    if (poll.is_secret === 1 && poll.hidden_by !== null) throw await hiddenError(trx, row, nowMs);
    if (poll.closed_at_ms !== null || poll.closes_at_ms <= nowMs) throw new ApiError('poll_closed');
    requireOptions(poll, positions);
    if (poll.is_secret === 1) {
      await storeSecretVote(trx, row, positions);
      return { channelId, number, options: null, result: null };
    }
    await storeVote(trx, row, positions, poll.own_count > 0);
    const polls = await readPolls(trx, isAt([row]), sql<SqlBool>`true`);
    const options = positions.toSorted((one, other) => one - other);
    return {
      channelId,
      number,
      options,
      result: resultOf(polls.get(commentId(channelId, number))),
    };
  });
}

interface VoterKey extends CommentRowKey {
  account_id: string;
}

/**
 * Locks a visible poll against being closed, but not against other votes.
 * @throws ApiError `comment_not_found`, `poll_not_found`
 */
async function lockPoll(trx: Database, { channel_id, number, account_id }: VoterKey) {
  const ofPoll = sql`channel_id = polls.channel_id and number = polls.number`;
  const poll = await trx
    .selectFrom('polls')
    .select(['is_secret', 'is_multiple', 'closes_at_ms', 'closed_at_ms'])
    .select([
      sql<number>`(select count(*) from poll_options where ${ofPoll})`.as('option_count'),
      sql<number>`(select count(*) from poll_votes
        where account_id = ${account_id} and ${ofPoll})`.as('own_count'),
      sql<string | null>`(select hidden_by from accounts where id = ${account_id})`.as('hidden_by'),
    ])
    .where('channel_id', '=', channel_id)
    .where('number', '=', number)
    .where(isPollVisible)
    .forShare()
    .executeTakeFirst();
  if (poll) return poll;
  const isVisible = await isCommentVisible(trx, { channelId: channel_id, number });
  throw new ApiError(isVisible ? 'poll_not_found' : 'comment_not_found');
}

async function hiddenError(trx: Database, { account_id }: VoterKey, nowMs: number) {
  const restriction = await findRestriction(trx, account_id, nowMs);
  return restriction ? restrictionError(restriction) : new ApiError('silenced');
}

/** @throws ApiError `invalid_fields` */
function requireOptions(
  { is_multiple, option_count }: { is_multiple: number; option_count: number },
  positions: number[],
): void {
  const reject = (message: string) => {
    throw new ApiError('invalid_fields', { errors: [{ field: 'options', message }] });
  };
  if (positions.some((position) => position >= option_count)) {
    reject('Esa opción no es de esta encuesta. Elige otra.');
  }
  if (is_multiple === 0 && positions.length > 1) reject('Elige una sola opción.');
}

async function storeVote(
  trx: Database,
  { account_id, ...key }: VoterKey,
  positions: number[],
  hasVotedBefore: boolean,
): Promise<void> {
  if (hasVotedBefore)
    await trx
      .deleteFrom('poll_votes')
      .where('account_id', '=', account_id)
      .where('channel_id', '=', key.channel_id)
      .where('number', '=', key.number)
      .where('position', 'not in', positions)
      .execute();
  await trx
    .insertInto('poll_votes')
    .values(positions.map((position) => ({ ...key, position, account_id })))
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

/**
 * The votes of an account in the polls of comments in a range of a channel. They have the present result of named ones,
 * and that of closed ones.
 */
export async function listVotes(
  db: Database,
  accountId: string,
  { channelId, from, to }: { channelId: string; from: number; to: number },
): Promise<CommentVote[]> {
  const isOwn = sql`account_id = ${accountId} and channel_id = ${channelId}
    and number >= ${from} and number <= ${to}`;
  const polls = await readPolls(
    db,
    sql<SqlBool>`channel_id = ${channelId} and number in (
      select number from (
        select number from poll_votes where ${isOwn} union select number from secret_voters where ${isOwn}
      ) as own order by number limit ${sql.lit(limits.listItems)})`,
    sql<SqlBool>`(is_secret = 0 or ${isClosed})`,
  );
  if (polls.size === 0) return [];
  const { rows } = await sql<{ number: number; position: number }>`
    select number, position from poll_votes where ${isOwn}
    order by number, position limit ${sql.lit(maxChosen)}`.execute(db);
  return [...polls].map(([id, poll]) => {
    const number = Number(id.slice(channelId.length + 1));
    const chosen = rows.filter((row) => row.number === number);
    return {
      channelId,
      number,
      options: poll.secret ? null : chosen.map(({ position }) => position),
      result: resultOf(poll),
    };
  });
}

/** The counts of a poll, where they are shown. */
function resultOf(poll: CommentPoll | undefined): PollResult | null {
  if (!poll || poll.voters === null) return null;
  return { voters: poll.voters, votes: poll.options.map(({ votes }) => votes ?? 0) };
}
