import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Runs before all other scripts of a page. Reports errors to the site, because classic WebDriver cannot read a
 * browser's console.
 */
function reportErrors(): void {
  const report = (...what: unknown[]) =>
    navigator.sendBeacon('/reported-error', `${location.pathname}: ${what.map(String).join(' ')}`);
  const { error } = console;
  console.error = (...what) => {
    report(...what);
    error(...what);
  };
  addEventListener('error', ({ message }) => report(message));
  addEventListener('unhandledrejection', ({ reason }) => report(reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    report('security policy:', violatedDirective, blockedURI),
  );
}

/** A proxy in front of a forum that collects the errors of its pages, and can break connections. */
export class Site {
  /** `Upload-Offset` of each request that sends bytes of an upload. */
  readonly offsets: number[] = [];
  /** Errors on consoles and violations of the content security policy. */
  readonly #errors: string[] = [];
  readonly #forumUrl: string;
  readonly #server = createServer((request, response) => this.#pass(request, response));
  readonly #connections = new Set<Socket>();
  #isCut = false;
  #cutsUploadAt = Number.POSITIVE_INFINITY;

  private constructor(forumUrl: string) {
    this.#forumUrl = forumUrl;
    this.#server.on('connection', (connection) => {
      if (this.#isCut) connection.destroy();
      this.#connections.add(connection);
      connection.once('close', () => this.#connections.delete(connection));
    });
  }

  static async start(forumUrl: string): Promise<Site> {
    const site = new Site(forumUrl);
    await once(site.#server.listen(0, '127.0.0.1'), 'listening');
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  get errorCount(): number {
    return this.#errors.length;
  }

  /** @throws when a page has reported an error that does not match */
  expectNoErrors(expected?: RegExp): void {
    assert.deepEqual(
      this.#errors.filter((error) => !expected?.test(error)),
      [],
    );
  }

  /** Breaks all connections, including new ones until `mend` is called. */
  cut(): void {
    this.#isCut = true;
    for (const connection of this.#connections) connection.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  /** Breaks the connection of the next upload after this many bytes. */
  cutUploadAt(bytes: number): void {
    this.#cutsUploadAt = bytes;
  }

  async #pass(browser: IncomingMessage, response: ServerResponse): Promise<void> {
    if (browser.url === '/reported-error') {
      this.#errors.push(await text(browser));
      response.writeHead(204).end();
      return;
    }
    if (browser.url === '/report-errors.js') {
      response.setHeader('content-type', 'text/javascript').end(`(${reportErrors})()`);
      return;
    }
    const headers = { ...browser.headers, 'accept-encoding': 'identity' };
    const { method = '', url = '' } = browser;
    const forum = request(this.#forumUrl + url, { method, headers });
    forum.on('error', () => response.destroy());
    response.on('close', () => forum.destroy());
    if (method === 'PATCH') this.#watchUpload(browser);
    forum.on('response', (answer) => this.#respond(answer, response));
    browser.pipe(forum);
  }

  async #respond(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    answer.on('error', () => response.destroy());
    const { statusCode = 0, headers } = answer;
    if (!headers['content-type']?.startsWith('text/html')) {
      response.writeHead(statusCode, headers).flushHeaders();
      answer.pipe(response);
      return;
    }
    const { 'content-length': _, ...rest } = headers;
    const page = await text(answer);
    response.writeHead(statusCode, rest);
    response.end(page.replace('<head>', '<head><script src="/report-errors.js"></script>'));
  }

  #watchUpload(browser: IncomingMessage): void {
    this.offsets.push(Number(browser.headers['upload-offset']));
    let bytes = 0;
    browser.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes < this.#cutsUploadAt) return;
      this.#cutsUploadAt = Number.POSITIVE_INFINITY;
      browser.destroy();
    });
  }
}
