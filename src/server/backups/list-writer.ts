import { createHash } from 'node:crypto';
import type { ArchiveWriter } from './archive-writer.ts';
import type { ListSummary } from './manifest.ts';

/** A part is written when it has grown to this. */
const partBytes = 1024 * 1024;

/** A list of JSON lines in an archive, in parts that fit in memory: `<name>.000001.ndjson`. */
export class ListWriter {
  readonly #archive: ArchiveWriter;
  readonly #name: string;
  readonly #hash = createHash('sha256');
  #lines: string[] = [];
  #bytes = 0;
  #parts = 0;
  #count = 0;

  constructor(archive: ArchiveWriter, name: string) {
    this.#archive = archive;
    this.#name = name;
  }

  async add(item: unknown): Promise<void> {
    const line = toLine(item);
    this.#lines.push(line);
    this.#count++;
    this.#bytes += line.length;
    if (this.#bytes >= partBytes) await this.#writePart();
  }

  async end(): Promise<ListSummary> {
    if (this.#lines.length > 0) await this.#writePart();
    return { count: this.#count, sha256: this.#hash.digest('hex') };
  }

  async #writePart(): Promise<void> {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#bytes = 0;
    this.#parts++;
    this.#hash.update(bytes);
    const number = String(this.#parts).padStart(6, '0');
    await this.#archive.add(`${this.#name}.${number}.ndjson`, bytes);
  }
}

/** What a list's checksum is made of. */
export function toLine(item: unknown): string {
  return `${JSON.stringify(item)}\n`;
}
