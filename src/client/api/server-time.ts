/** Responds without a database query and is never cached. */
const clockPath = '/healthz';

/** The server's time and `performance.now()`, at the same moment. */
let known: { serverMs: number; pageMs: number } | null = null;

/**
 * The server's time in milliseconds since the epoch, or null while it is unknown. The browser's own
 * clock is not used, because it may be wrong by months and be corrected at any moment.
 */
export function serverNow(): number | null {
  return known && known.serverMs + performance.now() - known.pageMs;
}

/** Asks the server for its time, unless it is known. */
export async function learnServerTime(): Promise<void> {
  if (known) return;
  try {
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(clockPath, { method: 'HEAD', cache: 'no-store', signal });
    const serverMs = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(serverMs)) known = { serverMs, pageMs: performance.now() };
  } catch {
    // Without a connection the time stays unknown until the next call.
  }
}
