import type { CommentKey } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { Thankful } from '../../../shared/people.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { requireComment } from '../comments/comment-queries.ts';

/**
 * One page of the listed people who voted for an option of a named poll, in the order of their ids. Before it is closed
 * only who has voted sees them.
 * @param position of the option
 * @param after `next` of the previous page
 * @throws ApiError `comment_not_found`, `poll_not_found`, `vote_first`
 */
export async function listVoters(
  db: Database,
  callerId: string,
  { channelId, number, position }: CommentKey & { position: number },
  after = '',
): Promise<{ data: Thankful[]; next: string | null }> {
  const { poll } = await requireComment(db, { channelId, number });
  if (!poll?.options[position] || poll.secret) throw new ApiError('poll_not_found');
  const votes = db
    .selectFrom('poll_votes')
    .where('channel_id', '=', channelId)
    .where('number', '=', number);
  const own = votes.select('position').where('account_id', '=', callerId);
  if (!poll.isClosed && !(await own.executeTakeFirst())) throw new ApiError('vote_first');
  const rows = await votes
    .innerJoin('accounts', 'accounts.id', 'poll_votes.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.img'])
    .where('position', '=', position)
    .where('account_id', '>', after)
    .where(isListed)
    .orderBy('account_id')
    .limit(limits.listItems + 1)
    .execute();
  const page = rows.slice(0, limits.listItems);
  return {
    data: page.map(({ id, name, img }) => ({ id, name, img: img ?? '' })),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
}
