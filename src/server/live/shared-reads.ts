import type { CommentPage } from '../../shared/comments.ts';

/** Reads the comments of a channel numbered above `afterNumber`. */
export type ReadComments = (channelId: string, afterNumber: number) => Promise<CommentPage>;

/**
 * Lets readers who ask the same at the same moment share one query: a comment of another process
 * makes everyone who has the channel open ask for it at once. An answer is shared only before its
 * query has begun, so that it is never older than the question.
 */
export function shareReads(read: ReadComments): ReadComments {
  const asked = new Map<string, Promise<CommentPage>>();
  return (channelId, afterNumber) => {
    const question = `${channelId} ${afterNumber}`;
    const known = asked.get(question);
    if (known) return known;
    const answer = read(channelId, afterNumber);
    asked.set(question, answer);
    // Microtasks queued earlier still belong to this moment; nothing is sent before they are done.
    queueMicrotask(() => asked.delete(question));
    return answer;
  };
}
