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

/** A small ext4 file system in a temporary file, which can be filled, cut off from power or made read-only. */
export class SmallDisk {
  readonly folder: string;
  readonly #temporary: string;
  readonly #image: string;

  constructor() {
    this.#temporary = mkdtempSync(path.join(tmpdir(), 'tertulia-disk-'));
    this.#image = path.join(this.#temporary, 'image');
    this.folder = path.join(this.#temporary, 'disk');
    mkdirSync(this.folder);
    closeSync(openSync(this.#image, 'w'));
    truncateSync(this.#image, megabytes * 1024 * 1024);
    // Reserve no blocks for root, who runs these tests.
    run('mkfs.ext4', '-q', '-m', '0', this.#image);
    this.#mount();
  }

  /** Fills the disk with an unrelated file. @returns a function that removes the file */
  fill(): () => void {
    const file = path.join(this.folder, 'filler');
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

  /** Drops all further writes to the disk, including dirty pages of the page cache. */
  cutPower(): void {
    run('xfs_io', '-x', '-c', 'shutdown', this.folder);
  }

  /** Remounts after `cutPower` or `abort`, which replays the journal; no file may be open. */
  remount(): void {
    run('umount', this.folder);
    this.#mount();
  }

  /** No file may be open for writing. @returns a function that makes the disk writable again */
  remountReadOnly(): () => void {
    run('mount', '-o', 'remount,ro', this.folder);
    return () => run('mount', '-o', 'remount,rw', this.folder);
  }

  /** Makes ext4 reject writes as after a disk error. */
  abort(): void {
    run('mount', '-o', 'remount,abort', this.folder);
  }

  remove(): void {
    run('umount', this.folder);
    rmSync(this.#temporary, { recursive: true, force: true });
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
  if (process.getuid?.() !== 0) return 'needs root to mount a disk';
  try {
    execFileSync('xfs_io', ['-V'], { stdio: 'ignore' });
  } catch {
    return "needs Debian's package xfsprogs";
  }
  try {
    new SmallDisk().remove();
    return undefined;
  } catch (error) {
    return `no disk can be mounted here: ${error}`;
  }
}

/** The reason why no disk can be mounted here; undefined where one can. */
export const noSmallDisk = whyNot();
