import type { CommentVote } from '../../../shared/polls.ts';
import { queryClientOf } from '../../api/with-queries.tsx';
import type { Store } from '../../state/store.ts';
import { changeMine } from '../item/own-data.ts';

/** Shows the user's vote as the server has stored it. */
export function setVote(store: Store, vote: CommentVote): void {
  const { id } = store.getState().user;
  changeMine(queryClientOf(store), id, vote.channelId, (known) => ({
    ...known,
    votes: [...known.votes.filter(({ number }) => number !== vote.number), vote],
  }));
}
