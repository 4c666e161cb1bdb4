import type { Duplex } from 'node:stream';
import type { App } from '../http/app-type.ts';
import { dropUnread } from '../http/slow-connections.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer ends with its connection: nothing else is asked on it. */
    takesConnection?: boolean;
  }
}

/**
 * Gives back the parser of a connection that is taken for good, as Node does when one is upgraded.
 * It is most of what a silent stream costs (10 kB with Node 26), and nothing comes that it could parse.
 * To be called before other hooks: Node looks as soon as the first of them has run.
 */
export function releaseParsers(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, headers, routeOptions } = request;
    const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
    if (routeOptions.config.takesConnection && !hasBody) {
      Object.assign(raw, { upgrade: true });
      reply.header('connection', 'close');
    }
    done();
  });
  app.server.on('upgrade', (_request, connection: Duplex) => {
    // Node no longer listens, and would wait for the reader's own end.
    connection.allowHalfOpen = false;
    connection.on('error', ignore).on('timeout', dropUnread).resume();
  });
}

/** A reader who is gone is noticed when its connection closes. */
function ignore(): void {}
