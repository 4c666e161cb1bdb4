import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import { freePorts } from '../processes/free-ports.ts';

const program = '/usr/sbin/pgbouncer';
/** PgBouncer refuses to run as root, so root runs it as `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The reason why tests with PgBouncer are skipped; false when they can run. */
export const whyNoPgBouncer = existsSync(program) ? false : "Debian's pgbouncer is not installed";

type PoolMode = 'session' | 'transaction' | 'statement';

/** A real PgBouncer in front of a PostgreSQL server, with the settings of the documentation. */
export class PgBouncer implements AsyncDisposable {
  /** URL of the same database through the pool. */
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #databaseUrl: URL;
  readonly #poolSize: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, databaseUrl: URL, poolSize: number) {
    this.#folder = folder;
    this.#port = port;
    this.#databaseUrl = databaseUrl;
    this.#poolSize = poolSize;
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${port}`;
    this.url = url.href;
  }

  static async start(databaseUrl: string, mode: PoolMode, poolSize = 40): Promise<PgBouncer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-pgbouncer-'));
    const [port = 0] = await freePorts(1);
    const pool = new PgBouncer(folder, port, new URL(databaseUrl), poolSize);
    await pool.#configure(mode);
    await chmod(folder, 0o755);
    const bouncer = spawn(program, [pool.#file], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    pool.#process = bouncer;
    let said = '';
    bouncer.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    await eventually('PgBouncer accepts connections', async () => {
      assert.equal(bouncer.exitCode ?? bouncer.signalCode, null, said);
      const client = new pg.Client(pool.url);
      try {
        await client.connect();
        return true;
      } catch {
        return false;
      } finally {
        await client.end();
      }
    });
    return pool;
  }

  /** Changes the pool mode while connections are open. */
  async switchTo(mode: PoolMode): Promise<void> {
    await this.#configure(mode);
    this.#process?.kill('SIGHUP');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process?.kill('SIGKILL')) await once(this.#process, 'exit');
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #file(): string {
    return path.join(this.#folder, 'pgbouncer.ini');
  }

  async #configure(mode: PoolMode): Promise<void> {
    const { hostname, port, username, password } = this.#databaseUrl;
    const users = path.join(this.#folder, 'userlist.txt');
    await writeFile(users, `"${username}" "${password}"\n`);
    await writeFile(
      this.#file,
      `[databases]
* = host=${hostname} port=${port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${this.#port}
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${this.#poolSize}
`,
    );
    if (user.uid)
      await chown(this.#file, user.uid, user.gid).then(() => chown(users, user.uid, user.gid));
  }
}
