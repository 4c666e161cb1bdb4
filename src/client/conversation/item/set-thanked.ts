import type { QueryClient } from '@tanstack/react-query';
import type { Comment } from '../../../shared/comments.ts';
import { changeMine } from './own-data.ts';

/** Records whether the account has given thanks for a comment. */
export function setThanked(
  queryClient: QueryClient,
  userId: string,
  { channelId, number }: Comment,
  mine: boolean,
): void {
  changeMine(queryClient, userId, channelId, (known) => {
    const others = known.thanks.filter((one) => one !== number);
    return { ...known, thanks: mine ? [...others, number] : others };
  });
}
