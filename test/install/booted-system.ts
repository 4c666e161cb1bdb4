import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../eventually.ts';
import { outcomeOf } from '../processes/program.ts';
import { debianName } from './debian.ts';

const needed = ['/usr/bin/mmdebstrap', '/usr/bin/systemd-nspawn'];

const commandEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** The reason why no system can be booted on this machine; false when one can. */
export function noBootedSystem(): string | false {
  if (process.getuid?.() !== 0) return 'only root can boot a system';
  const missing = needed.filter((program) => !existsSync(program));
  return (
    missing.length > 0 &&
    `${missing.join(' and ')} is missing: Debian's packages mmdebstrap and systemd-container`
  );
}

/** A minimal Debian with systemd, in its own namespaces, on the network of this machine. */
export class BootedSystem implements AsyncDisposable {
  /** Its root folder, as seen from this machine. */
  readonly root: string;
  readonly #nspawn: ChildProcess;

  private constructor(root: string, nspawn: ChildProcess) {
    this.root = root;
    this.#nspawn = nspawn;
  }

  /** Boots a system in about half a minute. @param packages installed besides systemd */
  static async boot(packages: string[] = []): Promise<BootedSystem> {
    const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-system-'));
    const root = path.join(folder, 'root');
    const include = ['systemd-sysv', 'dbus', ...packages].join(',');
    const options = ['--quiet', '--variant=minbase', `--include=${include}`];
    execFileSync('mmdebstrap', [...options, debianName, root]);
    // It downloads packages from the same sources as this machine.
    await rm(path.join(root, 'etc/apt/sources.list'));
    await cp('/etc/apt', path.join(root, 'etc/apt'), { recursive: true, dereference: true });
    const sources = globSync('sources.list{,.d/*}', { cwd: path.join(root, 'etc/apt') });
    for (const name of sources) {
      const file = path.join(root, 'etc/apt', name);
      if (!(await stat(file)).isFile()) continue;
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll('bookworm', debianName));
    }
    const nspawn = spawn(
      'systemd-nspawn',
      [
        '--quiet',
        `--directory=${root}`,
        '--register=no',
        '--keep-unit',
        '--console=pipe',
        '--boot',
      ],
      // Use the cgroup hierarchy of this machine.
      { stdio: 'ignore', env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '0' } },
    );
    process.once('exit', () => nspawn.kill('SIGKILL'));
    const system = new BootedSystem(root, nspawn);
    try {
      await eventually('the system runs', async () => system.#isRunning(), 60_000);
    } catch (error) {
      await system[Symbol.asyncDispose]();
      throw error;
    }
    return system;
  }

  /** Runs a command in it as root. @returns its exit code and output */
  run(...command: string[]): { code: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync('nsenter', this.#inside(command), {
      env: commandEnv,
      maxBuffer: 2 ** 26,
    });
    return { code: status, said: `${stdout}${stderr}` };
  }

  /** Runs a command in it as root, without blocking this process and with nobody who answers. */
  runMeanwhile(...command: string[]): ReturnType<typeof outcomeOf> {
    return outcomeOf(
      spawn('nsenter', this.#inside(command), {
        env: commandEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Runs a command in it as root. @returns its output @throws when it fails */
  must(...command: string[]): string {
    const { code, said } = this.run(...command);
    assert.equal(code, 0, `${command.join(' ')}: ${said}`);
    return said.trim();
  }

  /** @returns a property of a unit, as `systemctl show` prints it */
  property(unit: string, name: string): string {
    return this.must('systemctl', 'show', '--value', '--property', name, unit);
  }

  #inside(command: string[]): string[] {
    return [`--target=${this.#firstPid()}`, '--mount', '--pid', '--ipc', '--uts', '--', ...command];
  }

  #isRunning(): boolean {
    if (this.#nspawn.exitCode !== null) throw new Error('the system has ended');
    return this.#firstPid() > 0 && this.run('systemctl', 'is-system-running').said === 'running\n';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#nspawn.exitCode === null) {
      const ended = once(this.#nspawn, 'exit');
      if (this.#firstPid() > 0) this.run('systemctl', 'poweroff', '--force');
      else this.#nspawn.kill('SIGKILL');
      await ended;
    }
    await rm(path.dirname(this.root), { recursive: true, force: true });
  }

  /** @returns the id of its systemd on this machine; 0 before it has started */
  #firstPid(): number {
    const file = `/proc/${this.#nspawn.pid}/task/${this.#nspawn.pid}/children`;
    return Number(readFileSync(file, 'utf8').trim().split(' ')[0]);
  }
}
