import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { AlertKind } from './alert-texts.ts';

const LastAlert = Type.Object({
  /** When an alert about the failure was last sent; 0 for never. */
  sentAtMs: Type.Number(),
  /** When a check last found the failure. */
  seenAtMs: Type.Number(),
  /** Whether an alert was sent, and its end has not been reported yet. */
  isOpen: Type.Boolean(),
});
export type LastAlert = Static<typeof LastAlert>;

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
      const text = await readFile(path.join(this.#folder, kind), 'utf8');
      return Value.Parse(LastAlert, JSON.parse(text));
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
