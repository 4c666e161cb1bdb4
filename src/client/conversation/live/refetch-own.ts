import { refetchWithNews } from '../../api/user-query.ts';
import { queryClientOf } from '../../api/with-queries.tsx';
import { listOwnDecisions } from '../../own-decisions/own-decision-calls.ts';
import type { Store } from '../../state/store.ts';
import { listPendingPosts } from '../comment-calls.ts';

/** Refetches the decisions about the signed-in account: one may have hidden a comment of its own. */
export const refetchDecisions = (store: Store): Promise<void> =>
  refetchWithNews(queryClientOf(store), store.getState().user.id, listOwnDecisions);

/** Refetches the account's pending posts: one may have been published. */
export const refetchPending = (store: Store): Promise<void> =>
  refetchWithNews(queryClientOf(store), store.getState().user.id, listPendingPosts);
