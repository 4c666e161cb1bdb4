import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import tls from 'node:tls';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { eventually } from '../eventually.ts';
import {
  type CallOptions,
  ForumClient,
  type Person,
  uploadMetadata,
} from '../forum/forum-client.ts';
import { createPostgresDatabase } from '../postgres/create-database.ts';
import { freePorts } from '../processes/free-ports.ts';
import { ServerProcess } from '../processes/server-process.ts';

const project = path.join(import.meta.dirname, '../..');

export const proxyPrograms = { caddy: '/usr/bin/caddy', nginx: '/usr/sbin/nginx' };
export type ProxyName = keyof typeof proxyPrograms;

interface Layout {
  folder: string;
  /** Ports of one instance or of two. */
  appPorts: number[];
  httpPort: number;
  httpsPort: number;
}

/** Reads a delivered file and replaces its names and ports with the test's. */
function fill(file: string, { folder, appPorts, httpPort, httpsPort }: Layout): string {
  return readFileSync(path.join(project, 'deploy', file), 'utf8')
    .replaceAll('foro.example', 'localhost')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${appPorts[0]}`)
    .replace(/#(.*127\.0\.0\.1:)3001/, (line, start) => (appPorts[1] ? start + appPorts[1] : line))
    .replaceAll('/opt/tertulia/current', project)
    .replaceAll(/\/var\/log\/(caddy|nginx)/g, folder)
    .replaceAll('/etc/letsencrypt/live/localhost', folder)
    .replaceAll(/^\tlisten \[::\].*\n/gm, '')
    .replaceAll(/^\tlisten 80;/gm, `\tlisten ${httpPort};`)
    .replaceAll(/^\tlisten 443/gm, `\tlisten ${httpsPort}`);
}

/** Starts Caddy with the delivered site. @returns its process, and the certificate of its own authority */
async function startCaddy(layout: Layout) {
  const { folder, httpPort, httpsPort } = layout;
  const file = path.join(folder, 'Caddyfile');
  const storage = path.join(folder, 'storage');
  const global = `
	admin off
	http_port ${httpPort}
	https_port ${httpsPort}
	local_certs
	skip_install_trust
	storage file_system ${storage}
`;
  await writeFile(file, fill('Caddyfile', layout).replace(/^\{$/m, `{${global}`));
  const args = ['run', '--adapter', 'caddyfile', '--config', file];
  const child = spawn(proxyPrograms.caddy, args, {
    env: { HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { child, authority: path.join(storage, 'pki/authorities/local/root.crt') };
}

/** Responds with the network to which nginx assigns the address in a header. */
const networkServer = (socket: string) =>
  `server { listen unix:${socket}; set_real_ip_from unix:; real_ip_header X-Test-Address; default_type text/plain; return 200 $client_network; }`;

/** Starts nginx with the delivered site and a certificate of a test authority. */
async function startNginx(layout: Layout) {
  const { folder } = layout;
  const at = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test');
  openssl(
    ...['req', '-x509', '-CA', 'ca.pem', '-CAkey', 'ca.key', ...key, '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=CA:FALSE'],
    ...['-keyout', 'privkey.pem', '-out', 'fullchain.pem'],
  );
  await writeFile(at('site.conf'), fill('nginx.conf', layout));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${at('temporary')};`)
    .join(' ');
  await mkdir(at('temporary'));
  const isRoot = process.getuid?.() === 0;
  await writeFile(
    at('main.conf'),
    `${isRoot ? 'user root;' : ''} daemon off; pid ${at('pid')}; error_log ${at('error.log')};
events { worker_connections 768; }
http { include /etc/nginx/mime.types; access_log ${at('access.log')}; ${temporary} include ${at('site.conf')};
${networkServer(at('network.sock'))} }
`,
  );
  const args = ['-e', at('error.log'), '-c', at('main.conf')];
  const child = spawn(proxyPrograms.nginx, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  return { child, authority: at('ca.pem') };
}

const starts = { caddy: startCaddy, nginx: startNginx };

/** A server with the documented settings, behind a proxy with a delivered configuration. */
export class ProxiedForum extends ForumClient implements AsyncDisposable {
  readonly layout: Layout;
  readonly #opened: AsyncDisposableStack;
  readonly #env: Record<string, string>;
  readonly #said: () => string;
  readonly #servers: ServerProcess[];

  private constructor(
    opened: AsyncDisposableStack,
    layout: Layout,
    env: Record<string, string>,
    servers: ServerProcess[],
    said: () => string,
  ) {
    super(`https://localhost:${layout.httpsPort}`);
    this.#opened = opened;
    this.layout = layout;
    this.#env = env;
    this.#said = said;
    this.#servers = servers;
  }

  /** @param instances one on SQLite, or two on PostgreSQL @param more settings */
  static async start(
    name: ProxyName,
    instances: 1 | 2 = 1,
    more: Record<string, string> = {},
  ): Promise<ProxiedForum> {
    await using opening = new AsyncDisposableStack();
    const { path: folder } = opening.use(
      await mkdtempDisposable(path.join(tmpdir(), `tertulia-${name}-`)),
    );
    const [httpPort = 0, httpsPort = 0, ...appPorts] = await freePorts(2 + instances);
    const layout = { folder, appPorts, httpPort, httpsPort };
    const env = {
      DATA_DIR: path.join(folder, 'data'),
      TRUST_PROXY: '1',
      PUBLIC_URL: `https://localhost:${httpsPort}`,
      ...(instances === 1 ? { METRICS: 'on' } : await openPostgres(opening)),
      ...more,
    };
    const servers: ServerProcess[] = [];
    opening.defer(async () => {
      for (const server of servers) await server[Symbol.asyncDispose]();
    });
    for (const port of appPorts) {
      servers.push(await ServerProcess.start({ ...env, PORT: String(port) }));
    }
    const { child, authority } = await starts[name](layout);
    opening.defer(() => endProcess(child));
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    await eventually(
      'the proxy listens',
      async () => {
        assert.equal(child.exitCode, null, said);
        return (await accepts(httpsPort)) && (await hasFile(authority));
      },
      30_000,
    );
    // `fetch` has no option for a certificate authority.
    tls.setDefaultCACertificates([
      ...tls.getCACertificates('bundled'),
      await readFile(authority, 'utf8'),
    ]);
    const forum = new ProxiedForum(opening.move(), layout, env, servers, () => said);
    await eventually('the site is served', () => forum.#responds(), 30_000);
    return forum;
  }

  /** The only server, or the first of two. */
  get server(): ServerProcess {
    const [server] = this.#servers;
    assert.ok(server);
    return server;
  }

  /** Stops a server as systemd does, or kills it, and restarts it. */
  async restart(index = 0, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const server = this.#servers[index];
    server?.kill(signal);
    await server?.ended;
    const PORT = String(this.layout.appPorts[index]);
    this.#servers[index] = await ServerProcess.start({ ...this.#env, PORT });
  }

  /** Sends a request from another loopback address, such as 127.0.0.2. @returns status and body */
  async from(
    localAddress: string,
    method: string,
    url: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number | undefined; body: string }> {
    const agent = new Agent({ localAddress, ca: tls.getCACertificates('default') });
    const asked = request(new URL(url, this.url), { method, agent, headers, family: 4 }).end();
    const [response] = await once(asked, 'response');
    const answer = { status: response.statusCode, body: await text(response) };
    agent.destroy();
    return answer;
  }

  /**
   * Sends a whole upload in its creation request, unlike browsers. With HTTP/2 the refusal now and then does not
   * arrive through a proxy.
   * @returns the response body
   */
  async uploadWithCurl({ token }: Pick<Person, 'token'>, bytes: number) {
    const file = path.join(this.layout.folder, 'upload');
    await writeFile(file, Buffer.alloc(bytes));
    const headers = [
      `authorization: Bearer ${token}`,
      'tus-resumable: 1.0.0',
      'content-type: application/offset+octet-stream',
      `upload-length: ${bytes}`,
      `upload-metadata: ${uploadMetadata({ filename: 'a.png', use: 'cover', filetype: 'image/png' })}`,
      'expect:',
    ].flatMap((header) => ['--header', header]);
    const authority = path.join(this.layout.folder, 'authority.pem');
    await writeFile(authority, tls.getCACertificates('default').join('\n'));
    const args = [
      '--silent',
      '--show-error',
      '--http1.1',
      '--cacert',
      authority,
      ...headers,
      '--data-binary',
      `@${file}`,
    ];
    const child = spawn('curl', [...args, `${this.url}${apiRoutes.uploads}`]);
    const [body, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(errors, '');
    return body;
  }

  /**
   * Sends bytes over TLS and waits until the connection closes, which may be by a reset.
   * @param isAll whether to end the sending side afterwards
   */
  async sendRaw(bytes: string, { isAll = true } = {}): Promise<void> {
    const socket = tls.connect(this.layout.httpsPort, '127.0.0.1', { servername: 'localhost' });
    await once(socket, 'secureConnect');
    socket.on('error', () => {}).resume();
    if (isAll) socket.end(bytes);
    else socket.write(bytes);
    await new Promise((resolve) => socket.once('close', resolve));
  }

  get logFile(): string {
    return path.join(this.layout.folder, 'tertulia.log');
  }

  /** Waits for a matching line of the proxy's log, written after the response. @returns all lines */
  async logLines(isLast: (line: string) => boolean): Promise<string[]> {
    let lines: string[] = [];
    await eventually('the log is written', async () => {
      lines = (await readFile(this.logFile, 'utf8')).trim().split('\n');
      return lines.some(isLast);
    });
    return lines;
  }

  /** All output of the proxy: its log files and standard error. */
  async allLogs(): Promise<string> {
    const names = ['tertulia.log', 'tertulia.error.log', 'access.log', 'error.log'];
    const files = names.map((name) => path.join(this.layout.folder, name));
    const texts = files.map((file) => readFile(file, 'utf8').catch(() => ''));
    return this.#said() + (await Promise.all(texts)).join('');
  }

  /** The network to which nginx assigns an address, in hexadecimal. */
  async networkOf(address: string): Promise<string> {
    const socketPath = path.join(this.layout.folder, 'network.sock');
    const asked = httpRequest({ socketPath, headers: { 'x-test-address': address } }).end();
    const [response] = await once(asked, 'response');
    return (await buffer(response)).toString('hex');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }

  #responds(): Promise<boolean> {
    return this.call('GET', '/healthz').then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/** Creates an empty database, which is dropped at the end. @returns its settings */
async function openPostgres(opened: AsyncDisposableStack) {
  const database = await createPostgresDatabase();
  opened.defer(() => database.drop());
  return { DATABASE_URL: database.url, RATE_LIMITS: 'off' };
}

/** A client with its own address, such as 127.0.2.1. */
export class ClientAt extends ForumClient {
  readonly #agent: Agent;

  constructor(url: string, localAddress: string) {
    super(url);
    this.#agent = new Agent({
      localAddress,
      keepAlive: true,
      ca: tls.getCACertificates('default'),
    });
  }

  override async call(
    method: string,
    url: string,
    { token, headers, body }: CallOptions = {},
  ): Promise<Response> {
    const asked = request(new URL(url, this.url), {
      method,
      family: 4,
      agent: this.#agent,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(asked, 'response');
    return new Response(await buffer(response), { status: response.statusCode });
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

async function hasFile(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}
