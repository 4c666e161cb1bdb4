import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const probeMs = 200;

class Backend {
  readonly url: string;
  /** Whether the last probe of `/readyz` got 200. */
  ready = false;
  /** Number of responses that it forwarded. */
  responses = 0;

  constructor(url: string) {
    this.url = url;
  }

  probe(): void {
    const request = http.get(`${this.url}/readyz`, { agent: false }, (backendResponse) => {
      this.ready = backendResponse.statusCode === 200;
      backendResponse.resume();
    });
    request.on('error', () => {
      this.ready = false;
    });
  }
}

/**
 * A small load balancer: it probes `/readyz` of each backend and sends requests to the ready ones in
 * turn over keep-alive connections. A request is retried at another backend when its connection was
 * refused; a GET also when an idle connection was closed without a response.
 */
export class Balancer {
  readonly backends: Backend[];
  url = '';
  /** Number of requests that were repeated because an idle connection had been closed. */
  retries = 0;
  #turn = 0;
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #server = http.createServer((request, response) => this.#forward(request, response));
  readonly #probing = setInterval(() => this.#probe(), probeMs);

  private constructor(urls: string[]) {
    this.backends = urls.map((url) => new Backend(url));
    // Longer than the balancer's clients keep connections open.
    this.#server.keepAliveTimeout = 60_000;
  }

  static async start(urls: string[]): Promise<Balancer> {
    const balancer = new Balancer(urls);
    await once(balancer.#server.listen(0, '127.0.0.1'), 'listening');
    balancer.url = `http://127.0.0.1:${(balancer.#server.address() as AddressInfo).port}`;
    balancer.#probe();
    return balancer;
  }

  async stop(): Promise<void> {
    clearInterval(this.#probing);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  #probe(): void {
    for (const backend of this.backends) backend.probe();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => undefined);
    if (!body) return;
    const alive = this.backends.filter((backend) => backend.ready);
    // When no backend is ready, try all of them.
    const ready = alive.length > 0 ? alive : this.backends;
    this.#turn += 1;
    for (let tries = 0; tries <= ready.length; tries++) {
      const backend = ready[(this.#turn + tries) % ready.length];
      if (backend && (await this.#pass(backend, request, body, response))) return;
    }
    response.writeHead(502).end('no backend is available');
  }

  /** @returns false when the request may be retried at another backend */
  #pass(
    backend: Backend,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<boolean> {
    const { method, headers } = request;
    return new Promise((resolve) => {
      const upstream = http.request(new URL(request.url ?? '/', backend.url), {
        method,
        headers: { ...withoutConnection(headers), ...lengthOf(request, body) },
        agent: this.#agent,
      });
      response.on('close', () => upstream.destroy());
      upstream.on('response', (backendResponse) => {
        backend.responses += 1;
        response.writeHead(
          backendResponse.statusCode ?? 502,
          withoutConnection(backendResponse.headers),
        );
        response.flushHeaders();
        backendResponse.pipe(response);
        // Cut the client's response where the backend's response was cut.
        backendResponse.on('error', () => response.destroy());
        resolve(true);
      });
      upstream.on('error', (error: NodeJS.ErrnoException) => {
        const isIdle = upstream.reusedSocket && (method === 'GET' || method === 'HEAD');
        if (error.code === 'ECONNREFUSED') backend.ready = false;
        else if (isIdle && !response.headersSent) this.retries += 1;
        else {
          if (response.headersSent) response.destroy();
          else response.writeHead(502).end(`${method} ${request.url}: ${error.message}`);
          return resolve(true);
        }
        resolve(false);
      });
      upstream.end(body);
    });
  }
}

/** Removes `Connection`, which applies to one hop only. */
function withoutConnection(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const { connection, 'keep-alive': _, 'transfer-encoding': __, ...others } = headers;
  return others;
}

function lengthOf({ headers }: IncomingMessage, body: Buffer) {
  const hasBody = headers['content-length'] ?? headers['transfer-encoding'];
  return hasBody === undefined ? {} : { 'content-length': body.length };
}
