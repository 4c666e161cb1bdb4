import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const bucketName = 'cubo';

/**
 * How the bucket handles a request: `error` responds 500, `silent` never responds, `stalled` begins a response and
 * does not finish it, and `broken` ends the connection after the head.
 */
type Behaviour = 'normal' | 'error' | 'silent' | 'stalled' | 'broken';

/** An in-memory S3-compatible server that can be made to fail. */
export class FaultyBucket {
  behaviour: Behaviour = 'normal';
  /** Start of the requests that `behaviour` applies to, such as `PUT images/`; others are normal. */
  affectedRequests = '';
  /** Called with each request before it is handled, such as `PUT images/a.full`. */
  onRequest: ((action: string) => void) | undefined;
  readonly objects = new Map<string, Buffer>();
  /** Modification times by object key; objects without an entry were written just now. */
  readonly writtenAt = new Map<string, Date>();
  /** Settings of a forum that uses it. */
  env: Record<string, string> = {};
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<FaultyBucket> {
    const server = createServer();
    const bucket = new FaultyBucket(server);
    server.on('request', async (request: IncomingMessage, response) => {
      const url = new URL(request.url ?? '', 'http://bucket');
      const key = decodeURIComponent(url.pathname).replace(`/${bucketName}/`, '');
      const isList = url.searchParams.has('list-type');
      const prefix = url.searchParams.get('prefix') ?? '';
      const action = isList ? `LIST ${prefix}` : `${request.method} ${key}`;
      bucket.onRequest?.(action);
      const behaviour = action.startsWith(bucket.affectedRequests) ? bucket.behaviour : 'normal';
      const body = await buffer(request).catch(() => undefined);
      if (behaviour === 'silent' || !body) return;
      if (behaviour === 'error') {
        response.writeHead(500).end('<Error><Code>InternalError</Code></Error>');
        return;
      }
      const result = isList ? bucket.#list(prefix) : bucket.#handle(request.method, key, body);
      if (!result) response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      else if (behaviour === 'stalled')
        response.writeHead(200, { 'content-length': '9999' }).write('x');
      else if (behaviour === 'broken') {
        response.writeHead(200, { 'content-length': result.length }).flushHeaders();
        response.destroy();
      } else response.writeHead(200, { 'content-length': result.length }).end(result);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    bucket.env = {
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_BUCKET: bucketName,
      S3_ACCESS_KEY_ID: 'clave',
      S3_SECRET_ACCESS_KEY: 'secreto-secreto',
    };
    return bucket;
  }

  /** Closes all connections and refuses new ones. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #handle(method: string | undefined, key: string, body: Buffer): Buffer | undefined {
    // A request without a key is for the bucket itself, which exists.
    if (key === '' || key === `/${bucketName}`) return Buffer.alloc(0);
    if (method === 'GET' || method === 'HEAD') return this.objects.get(key);
    if (method === 'PUT') this.objects.set(key, body);
    if (method === 'DELETE') this.objects.delete(key);
    return Buffer.alloc(0);
  }

  #list(prefix: string): Buffer {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
    const entries = keys.map((key) => {
      const written = (this.writtenAt.get(key) ?? new Date()).toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${written}</LastModified></Contents>`;
    });
    return Buffer.from(`<ListBucketResult>${entries.join('')}</ListBucketResult>`);
  }
}
