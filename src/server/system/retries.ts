const firstWaitMs = 60_000;
const longestWaitMs = 4 * 3_600_000;

/**
 * Time until something is sent again after a failure: a minute, doubled after each further one, up to four hours.
 * @param tries failures so far, from 0
 */
export const retryWaitMs = (tries: number, askedMs = 0) =>
  Math.max(Math.min(firstWaitMs * 2 ** tries, longestWaitMs), Math.min(askedMs, longestWaitMs));
