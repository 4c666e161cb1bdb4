import type { Server, ServerResponse } from 'node:http';
import { apiRoutes } from '../../src/shared/api-routes.ts';

/** The open live streams of a server. */
export class OpenStreams {
  readonly #responses = new Map<ServerResponse, string>();

  constructor(server: Server) {
    server.on('request', ({ url = '' }, response: ServerResponse) => {
      this.#responses.set(response, url);
      response.once('close', () => this.#responses.delete(response));
    });
  }

  readersOf(channelId: string): number {
    const path = apiRoutes.channelLive(channelId);
    const ofChannel = [...this.#responses].filter(
      ([{ headersSent }, url]) => headersSent && url.split('?')[0] === path,
    );
    return ofChannel.length;
  }
}
