import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../http/app-type.ts';

/**
 * How the server closes without failing a request. For a while it takes everything as before and
 * answers `Connection: close` (Fastify's doing while it closes), so that whoever is in front goes
 * elsewhere; only then it listens no more, and ends the connections on which nothing is asked.
 * To be called before the hooks that end streams.
 * @param lameDuckMs how long that while is; 0 where there is no elsewhere
 * @returns aborted from when the server is asked to close
 */
export function gracefulShutdown(app: App, lameDuckMs: number): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', async () => {
    closing.abort();
    await delay(lameDuckMs);
    // One that goes idle only after the close would hold the server up until its keep-alive is over.
    const timer = setInterval(() => app.server.closeIdleConnections(), 50);
    app.server.once('close', () => clearInterval(timer));
  });
  return closing.signal;
}
