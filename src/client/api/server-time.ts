/** The server's time when `performance.now()` was 0. */
let startMs: number | null = null;

/**
 * The server's time in milliseconds since the epoch, or null while it is unknown. The browser's own
 * clock is not used, because it may be wrong by months and be corrected at any moment.
 */
export const serverNow = () => startMs && startMs + performance.now();

/** Takes over the time of a response. */
export function noteServerTime({ headers }: Response): void {
  const serverMs = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(serverMs)) startMs = serverMs - performance.now();
}
