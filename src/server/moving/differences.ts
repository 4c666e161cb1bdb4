/** Enough to see what is wrong; a whole table of lines would hide it. */
const listed = 100;

/** What is not the same at the target, to be told at the end. */
export class Differences {
  count = 0;
  readonly #lines: string[] = [];

  add(line: string): void {
    this.count++;
    if (this.#lines.length < listed) this.#lines.push(line);
  }

  lines(): string[] {
    const more = this.count - this.#lines.length;
    return more > 0 ? [...this.#lines, `and ${more} more`] : this.#lines;
  }
}
