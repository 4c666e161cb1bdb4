import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AlertKind } from './alert-texts.ts';

export interface LastAlert {
  /** When an alert about the failure was last sent; 0 for never. */
  sentAtMs: number;
  /** When a check last found the failure. */
  seenAtMs: number;
  /** Whether an alert was sent, and its end has not been reported yet. */
  isOpen: boolean;
}

/** The last alert of each kind, in files that survive restarts and that processes with the same data folder share. */
export class AlertState {
  readonly #folder: string;
  /** Alerts that could not be written, for example to a full disk. */
  readonly #unwritten = new Map<AlertKind, LastAlert>();

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, 'alerts');
  }

  async read(kind: AlertKind): Promise<LastAlert | undefined> {
    const unwritten = this.#unwritten.get(kind);
    if (unwritten) return unwritten;
    try {
      return JSON.parse(await readFile(path.join(this.#folder, kind), 'utf8'));
    } catch {
      // The file does not exist yet, or a power cut left it incomplete.
      return undefined;
    }
  }

  async save(kind: AlertKind, alert: LastAlert): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeFile(path.join(this.#folder, kind), JSON.stringify(alert));
      this.#unwritten.delete(kind);
    } catch {
      this.#unwritten.set(kind, alert);
    }
  }
}
