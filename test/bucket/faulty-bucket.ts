import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** `stuck` begins its answers and does not end them. */
type Mood = 'well' | 'failing' | 'silent' | 'stuck';

/** Stands in for a bucket that does not do what it should: no real one fails at will. */
export class MoodyBucket {
  mood: Mood = 'well';
  /** What the mood is about, such as `PUT images/`; all else is dealt with well. */
  moodyAbout = '';
  readonly objects = new Map<string, Buffer>();
  /** Says of these objects that they were written then, and of the others that they just were. */
  readonly writtenAt = new Map<string, Date>();
  /** Settings of a forum that uses it. */
  env: Record<string, string> = {};
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<MoodyBucket> {
    const server = createServer();
    const bucket = new MoodyBucket(server);
    server.on('request', async (request: IncomingMessage, response) => {
      const url = new URL(request.url ?? '', 'http://bucket');
      const key = decodeURIComponent(url.pathname).replace('/moody/', '');
      const isList = url.searchParams.has('list-type');
      const prefix = url.searchParams.get('prefix') ?? '';
      const about = isList ? `LIST ${prefix}` : `${request.method} ${key}`;
      const mood = about.startsWith(bucket.moodyAbout) ? bucket.mood : 'well';
      const body = await buffer(request).catch(() => undefined);
      if (mood === 'silent' || !body) return;
      if (mood === 'failing') {
        response.writeHead(500).end('<Error><Code>InternalError</Code></Error>');
        return;
      }
      const answer = isList ? bucket.#list(prefix) : bucket.#answer(request.method, key, body);
      if (!answer) response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      else if (mood === 'stuck') response.writeHead(200, { 'content-length': '9999' }).write('x');
      else response.writeHead(200, { 'content-length': answer.length }).end(answer);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    bucket.env = {
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_BUCKET: 'moody',
      S3_ACCESS_KEY_ID: 'clave',
      S3_SECRET_ACCESS_KEY: 'secreto-secreto',
    };
    return bucket;
  }

  /** From then on nobody is there. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(method: string | undefined, key: string, body: Buffer): Buffer | undefined {
    // The bucket itself, which is there.
    if (key === '' || key === '/moody') return Buffer.alloc(0);
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
