/** Answers without asking the database, and is never cached. */
const clockPath = '/healthz';

/** The server's time, and how long the page had been open then. */
let known: { serverMs: number; pageMs: number } | null = null;

/**
 * The server's time in milliseconds, or null while it has not told any: the clock of a browser may
 * be wrong by months and be put right at any moment.
 */
export function serverNow(): number | null {
  return known && known.serverMs + performance.now() - known.pageMs;
}

/** Asks the server for its time, once a page. */
export async function learnServerTime(): Promise<void> {
  if (known) return;
  try {
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(clockPath, { method: 'HEAD', cache: 'no-store', signal });
    const serverMs = Date.parse(answer.headers.get('date') ?? '');
    if (!Number.isNaN(serverMs)) known = { serverMs, pageMs: performance.now() };
  } catch {
    // Without a connection: what needs it waits for the next time.
  }
}
