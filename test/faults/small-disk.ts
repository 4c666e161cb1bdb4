import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const megabytes = 96;

/** A small ext4 of a test's own, in a file of the temporary folder, that can be full or lose its power. */
export class SmallDisk {
  readonly folder: string;
  readonly #place: string;
  readonly #image: string;

  constructor() {
    this.#place = mkdtempSync(path.join(tmpdir(), 'tertulia-disk-'));
    this.#image = path.join(this.#place, 'image');
    this.folder = path.join(this.#place, 'disk');
    mkdirSync(this.folder);
    closeSync(openSync(this.#image, 'w'));
    truncateSync(this.#image, megabytes * 1024 * 1024);
    // No blocks kept for root, who runs these tests; a journal of the usual kind.
    run('mkfs.ext4', '-q', '-m', '0', this.#image);
    this.#mount();
  }

  /** Takes up all that is free, as somebody else's file. @returns what frees it */
  fill(): () => void {
    const file = path.join(this.folder, 'somebody-elses');
    const filler = openSync(file, 'w');
    for (const bytes of [1024 * 1024, 4096, 512]) {
      try {
        for (;;) writeSync(filler, Buffer.alloc(bytes, 1));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
    closeSync(filler);
    return () => rmSync(file);
  }

  /** From now on nothing reaches the disk, not even what the system still holds of it in memory. */
  cutPower(): void {
    run('xfs_io', '-x', '-c', 'shutdown', this.folder);
  }

  /** After a cut, once nobody has a file open: the journal is replayed, as after any. */
  powerAgain(): void {
    run('umount', this.folder);
    this.#mount();
  }

  /** Mounted so that nobody may write to it; nobody may be at it. @returns what undoes that */
  forbidWriting(): () => void {
    run('mount', '-o', 'remount,ro', this.folder);
    return () => run('mount', '-o', 'remount,rw', this.folder);
  }

  /** As after an error of the disk, by which ext4 takes no more writes. */
  makeReadOnly(): void {
    run('mount', '-o', 'remount,abort', this.folder);
  }

  remove(): void {
    run('umount', this.folder);
    rmSync(this.#place, { recursive: true, force: true });
  }

  #mount(): void {
    run('mount', '-o', 'loop', this.#image, this.folder);
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root, to mount a disk of its own';
  try {
    execFileSync('xfs_io', ['-V'], { stdio: 'ignore' });
  } catch {
    return "needs Debian's package xfsprogs";
  }
  try {
    new SmallDisk().remove();
    return undefined;
  } catch (error) {
    return `no disk of its own can be mounted here: ${error}`;
  }
}

/** Why there can be no such disk here; undefined where there can. */
export const noSmallDisk = whyNot();
