import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { eventually } from '../eventually.ts';
import { runTertulia, startProgram } from './program.ts';

/** Time limit of a start, in ms. It is long because the machine may be busy with other tests. */
export const startsWithinMs = 180_000;

export interface LogLine {
  /** pino's level: 30 is info, 50 is error, 60 is fatal. */
  level: number;
  msg: string;
  pid: number;
}

interface Ending {
  code: number | null;
  /** The whole standard error. */
  said: string;
}

/** A line that is not of the log becomes a fatal one, so that tests see it. */
function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 60, msg: line, pid: 0 };
  }
}

const startAsIs = (env: Record<string, string>) => runTertulia(env, 'start');

/** Starts a server that erases what is due, as others do only after an hour. */
export const startHourOld = (env: Record<string, string>) =>
  startProgram('test/processes/hour-old-server.ts', env);

/** A server in its own process, which is killed at the end of its scope. */
export class ServerProcess implements AsyncDisposable {
  readonly log: LogLine[] = [];
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;

  /** Starts a server that may fail to start. */
  constructor(env: Record<string, string>, startServer = startAsIs) {
    this.#child = startServer(env);
    const { stdout, stderr } = this.#child;
    assert.ok(stdout && stderr);
    createInterface(stdout).on('line', (line) => this.log.push(parseLine(line)));
    let said = '';
    stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    this.ended = once(this.#child, 'close').then(([code]) => ({ code, said }));
  }

  /** @returns a server that is listening */
  static async start(env: Record<string, string>, startServer = startAsIs): Promise<ServerProcess> {
    const server = new ServerProcess(env, startServer);
    let ending: Ending | undefined;
    void server.ended.then((how) => {
      ending = how;
    });
    await eventually(
      'the server listens',
      async () => {
        assert.ok(!ending, `the server ended: ${ending?.said}`);
        return server.url !== '';
      },
      startsWithinMs,
    ).catch((error: unknown) => {
      server.kill('SIGKILL');
      throw error;
    });
    return server;
  }

  get pid(): number {
    assert.ok(this.#child.pid);
    return this.#child.pid;
  }

  get url(): string {
    const said = this.logged(/^tertulia is at /)[0]?.msg ?? '';
    return said.slice('tertulia is at '.length);
  }

  get metricsUrl(): string {
    const said = this.logged(/^metrics are at /)[0]?.msg ?? '';
    return said.slice('metrics are at '.length);
  }

  logged(message: RegExp): LogLine[] {
    return this.log.filter(({ msg }) => message.test(msg));
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Stops it with SIGTERM. @returns its exit code, its standard error and the milliseconds until its end */
  async stop(): Promise<Ending & { ms: number }> {
    const askedMs = Date.now();
    this.kill('SIGTERM');
    return { ...(await this.ended), ms: Date.now() - askedMs };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGKILL');
    await this.ended;
  }
}
