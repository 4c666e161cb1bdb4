import { createHash } from 'node:crypto';
import type { ArchiveWriter } from './archive-writer.ts';
import type { ListSummary } from './manifest.ts';

/** Size at which a chunk is written. */
const chunkBytes = 1024 * 1024;

/** Writes a list of JSON lines into an archive, in chunks named `<name>.000001.ndjson`. */
export class ListWriter {
  readonly #archive: ArchiveWriter;
  readonly #name: string;
  readonly #hash = createHash('sha256');
  #lines: string[] = [];
  #bytes = 0;
  #chunks = 0;
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
    if (this.#bytes >= chunkBytes) await this.#writeChunk();
  }

  async end(): Promise<ListSummary> {
    if (this.#lines.length > 0) await this.#writeChunk();
    return { count: this.#count, sha256: this.#hash.digest('hex') };
  }

  async #writeChunk(): Promise<void> {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#bytes = 0;
    this.#chunks++;
    this.#hash.update(bytes);
    const number = String(this.#chunks).padStart(6, '0');
    await this.#archive.add(`${this.#name}.${number}.ndjson`, bytes);
  }
}

/** The form of an item that a list's checksum covers. */
export function toLine(item: unknown): string {
  return `${JSON.stringify(item)}\n`;
}
