import pLimit from 'p-limit';
import type { Comment } from '../../shared/comments.ts';

/**
 * Reads the comments of a channel numbered above `afterNumber`; undefined when they are more than is
 * replayed.
 */
export type ReadMissed = (channelId: string, afterNumber: number) => Promise<Comment[] | undefined>;

/** Few, so that readers who come back all at once leave connections and memory to others. */
const readsAtOnce = 4;

/**
 * Lets readers who ask the same share one query: a comment of another process makes everyone who has
 * the channel open ask for it at once. An answer is shared only before its query has begun, so that
 * it is never older than the question.
 */
export function shareReads(read: ReadMissed): ReadMissed {
  const waiting = new Map<string, ReturnType<ReadMissed>>();
  const turn = pLimit(readsAtOnce);
  return (channelId, afterNumber) => {
    const question = `${channelId} ${afterNumber}`;
    const known = waiting.get(question);
    if (known) return known;
    const answer = turn(() => {
      waiting.delete(question);
      return read(channelId, afterNumber);
    });
    waiting.set(question, answer);
    return answer;
  };
}
