import type { App } from './app-type.ts';

/**
 * Closes the server without failing a request. During the lame-duck period it still accepts requests and
 * answers them with `Connection: close` (added by Fastify), so that the proxy moves to another
 * process or holds requests until the next start. Then it stops listening and closes idle connections. Register it before the hooks that end
 * live streams.
 * @param lameDuck resolves at the end of that period; undefined without a proxy
 * @returns signal that is aborted when the server begins to close
 */
export function gracefulShutdown(app: App, lameDuck?: () => Promise<void>): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', async () => {
    closing.abort();
    await lameDuck?.();
    // A connection that becomes idle after the close would delay it until its keep-alive timeout.
    const timer = setInterval(() => app.server.closeIdleConnections(), 50);
    app.server.once('close', () => clearInterval(timer));
  });
  return closing.signal;
}
