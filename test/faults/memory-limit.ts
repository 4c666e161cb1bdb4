import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../eventually.ts';
import { nodeOptions, serveSettings } from '../processes/program.ts';

/** The files of versions 1 and 2 of Linux's control groups. */
const versions = [
  {
    parent: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    events: 'memory.oom_control',
  },
  {
    parent: '/sys/fs/cgroup',
    limit: 'memory.max',
    peak: 'memory.peak',
    events: 'memory.events',
  },
];

const project = path.join(import.meta.dirname, '../..');

/** A control group that limits the memory of a server and its children, as a small machine does. */
export class MemoryLimit {
  readonly #folder: string;
  readonly #version: (typeof versions)[number];

  /** @throws where no control group can be made */
  constructor(megabytes: number) {
    const version = versions.find(({ parent, limit }) => hasController(parent, limit));
    if (!version) throw new Error('this system has no control groups for memory');
    this.#version = version;
    this.#folder = path.join(version.parent, `tertulia-${process.pid}-${Date.now()}`);
    mkdirSync(this.#folder);
    writeFileSync(path.join(this.#folder, version.limit), String(megabytes * 1024 * 1024));
  }

  /** Starts the server inside the group, because Node reads the limit only at its start. */
  startServer = (env: Record<string, string>): ChildProcess => {
    const enter = 'echo $$ > "$1" && shift && exec "$@"';
    const processes = path.join(this.#folder, 'cgroup.procs');
    const server = [
      process.execPath,
      ...nodeOptions,
      path.join(project, 'src/server/command/main.ts'),
      'start',
    ];
    return spawn('sh', ['-c', enter, 'sh', processes, ...server], {
      cwd: tmpdir(),
      env: {
        PATH: process.env.PATH,
        TERTULIA_ENV_FILE: '/dev/null',
        PORT: '0',
        ...serveSettings,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };

  /** Peak memory, including the page cache, which the system reclaims first. */
  get peakMb(): number {
    return Math.round(Number(this.#read(this.#version.peak)) / 1024 / 1024);
  }

  /** Number of processes that the out-of-memory killer has ended. */
  get killed(): number {
    return Number(/^oom_kill (\d+)$/m.exec(this.#read(this.#version.events))?.[1] ?? 0);
  }

  /** Deletes the group. All its processes must have ended; the system takes them out of it a moment later. */
  async remove(): Promise<void> {
    await eventually('the control group has no processes', async () => {
      try {
        rmdirSync(this.#folder);
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return false;
        throw error;
      }
    });
  }

  #read(file: string): string {
    return readFileSync(path.join(this.#folder, file), 'utf8');
  }
}

/** A group has the limit's file only where its parent delegates the controller. */
function hasController(parent: string, limit: string): boolean {
  const folder = path.join(parent, `tertulia-trial-${process.pid}`);
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  try {
    return existsSync(path.join(folder, limit));
  } finally {
    rmdirSync(folder);
  }
}

async function whyNot(): Promise<string | undefined> {
  try {
    await new MemoryLimit(512).remove();
    return undefined;
  } catch (error) {
    return `no memory limit can be set here: ${error}`;
  }
}

/** The reason why no memory limit can be set here; undefined where one can. */
export const noMemoryLimit = await whyNot();
