/** The server's time and `performance.now()`, at the same moment. */
let known: { serverMs: number; pageMs: number } | null = null;

/**
 * The server's time in milliseconds since the epoch, or null while it is unknown. The browser's own
 * clock is not used, because it may be wrong by months and be corrected at any moment.
 */
export function serverNow(): number | null {
  return known && known.serverMs + performance.now() - known.pageMs;
}

/** Takes over the time of a response. */
export function noteServerTime({ headers }: Response): void {
  const serverMs = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(serverMs)) known = { serverMs, pageMs: performance.now() };
}
