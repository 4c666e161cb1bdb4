import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../eventually.ts';

const bootScript = path.join(import.meta.dirname, 'boot-system.sh');
const mmdebstrap = '/usr/bin/mmdebstrap';
const cgroups = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((folder) =>
  existsSync(path.join(folder, 'cgroup.procs')),
);

/** Why no system can be booted here, or false. */
export function noBootedSystem(): string | false {
  if (process.getuid?.() !== 0) return 'only root can boot a system';
  if (!existsSync(mmdebstrap)) return `${mmdebstrap} is not installed`;
  if (!cgroups) return 'there is no cgroup2';
  return false;
}

/** A minimal Debian with systemd, in namespaces of its own, on the network of this machine. */
export class BootedSystem implements AsyncDisposable {
  /** Its root folder, as seen from outside. */
  readonly root: string;
  readonly #unshare: ChildProcess;
  readonly #cgroup: string;

  private constructor(root: string, unshare: ChildProcess, cgroup: string) {
    this.root = root;
    this.#unshare = unshare;
    this.#cgroup = cgroup;
  }

  /** Takes about a minute. @param packages beside systemd */
  static async boot(packages: string[]): Promise<BootedSystem> {
    const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-system-'));
    const root = path.join(folder, 'root');
    const include = ['systemd-sysv', ...packages].join(',');
    execFileSync(mmdebstrap, [
      '--quiet',
      '--variant=minbase',
      `--include=${include}`,
      'bookworm',
      root,
    ]);
    await rm(path.join(root, 'etc/hostname'), { force: true });
    // There is no console.
    execFileSync('systemctl', ['--quiet', `--root=${root}`, 'mask', 'console-getty.service']);
    const cgroup = path.join(cgroups ?? '', path.basename(folder));
    await mkdir(cgroup);
    const command = `echo $$ > ${cgroup}/cgroup.procs
      exec unshare --pid --mount --uts --ipc --cgroup --fork --kill-child sh ${bootScript} ${root}`;
    const unshare = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });
    const system = new BootedSystem(root, unshare, cgroup);
    try {
      await eventually('the system runs', async () => system.isRunning(), 60_000);
    } catch (error) {
      await system[Symbol.asyncDispose]();
      throw error;
    }
    return system;
  }

  /** Runs a command in it. @returns exit code, and all that it printed */
  run(...command: string[]): { code: number | null; said: string } {
    const env = ['env', '-i', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'LANG=C.UTF-8'];
    const inside = ['-t', String(this.#firstPid()), '-m', '-p', '-i', '-u', '-C'];
    const { status, stdout, stderr } = spawnSync('nsenter', [...inside, ...env, ...command]);
    return { code: status, said: `${stdout}${stderr}` };
  }

  /** @returns what the command printed @throws when it fails */
  must(...command: string[]): string {
    const { code, said } = this.run(...command);
    assert.equal(code, 0, `${command.join(' ')}: ${said}`);
    return said.trim();
  }

  /** A property of a unit, as `systemctl show` prints it. */
  property(unit: string, name: string): string {
    return this.must('systemctl', 'show', '--value', '--property', name, unit);
  }

  isRunning(): boolean {
    if (this.#unshare.exitCode !== null) throw new Error('the system has ended');
    return this.#firstPid() > 0 && this.run('systemctl', 'is-system-running').said === 'running\n';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#unshare.exitCode === null) {
      this.#unshare.kill('SIGKILL');
      await once(this.#unshare, 'exit');
    }
    await eventually('its processes end', async () => {
      const names = await readdir(this.#cgroup, { recursive: true, withFileTypes: true });
      const groups = names.filter((entry) => entry.isDirectory());
      for (const group of groups.toReversed()) {
        await rmdir(path.join(group.parentPath, group.name)).catch(() => {});
      }
      return rmdir(this.#cgroup).then(
        () => true,
        () => false,
      );
    });
    await rm(path.dirname(this.root), { recursive: true, force: true });
  }

  /** Of its systemd, as seen from outside; 0 before it is there. */
  #firstPid(): number {
    const file = `/proc/${this.#unshare.pid}/task/${this.#unshare.pid}/children`;
    return Number(readFileSync(file, 'utf8').trim().split(' ')[0]);
  }
}
