import type { ServerResponse } from 'node:http';
import { limits } from '../../shared/limits.ts';

/** A whole replay of the longest comments, in UTF-8 and with their frames. */
const mostBytes = limits.liveReplayComments * limits.commentChars * 4 * 1.1;
/** How long what was sent may lie in memory. */
const patienceMs = 10_000;

/**
 * Whether a reader lets too much pile up, or for too long: cutting them off costs less than the
 * memory, since they come back and go on where they were. Ask before each write.
 */
export function unreadBound(stream: ServerResponse): () => boolean {
  let allWasSentMs = performance.now();
  return () => {
    const unread = stream.writableLength;
    const nowMs = performance.now();
    if (unread === 0) allWasSentMs = nowMs;
    return unread > mostBytes || nowMs - allWasSentMs > patienceMs;
  };
}
