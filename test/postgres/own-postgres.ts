import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '../processes/free-ports.ts';
import { EmbeddedPostgres } from './embedded-postgres.ts';

/** A real PostgreSQL for tests, which may stop it, start it again and freeze it. */
export class OwnPostgres {
  /** Of the server; a database's name goes behind it. */
  readonly serverUrl: string;
  /** Of the database that is always there. */
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
      // The tests stop it by hand; what it says on the way is of no interest.
      onLog: () => {},
      onError: () => {},
      createPostgresUser: process.getuid?.() === 0,
      // Durability is not what these tests are about, and syncing makes them slow.
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

  /** Stops the server in its tracks: it takes connections, and answers nothing. */
  async freeze(): Promise<() => Promise<void>> {
    const [pid] = (await readFile(path.join(this.#folder, 'postmaster.pid'), 'utf8')).split('\n');
    // The parent first, so that it has no further children.
    process.kill(Number(pid), 'SIGSTOP');
    const children = await childrenOf(Number(pid));
    for (const one of children) process.kill(one, 'SIGSTOP');
    const family = [...children, Number(pid)];
    return async () => {
      for (const one of family) process.kill(one, 'SIGCONT');
    };
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Linux only, as the machines are that run these tests. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').map(Number);
}
