const maxExamples = 3;

/** Counts object keys and keeps the first three, so that thousands neither take memory nor fill the log. */
export class KeyCount {
  count = 0;
  readonly examples: string[] = [];

  /** @param key with the object's fault in parentheses, unless it is missing */
  add(key: string): void {
    this.count++;
    if (this.examples.length < maxExamples) this.examples.push(key);
  }
}

/** @returns for example `3 files of images in use are missing or damaged, for example a.full, b.full (EIO), c.full` */
export function describeLost({ count, examples }: Pick<KeyCount, 'count' | 'examples'>): string {
  const files =
    count === 1 ? '1 file of an image in use is' : `${count} files of images in use are`;
  return `${files} missing or damaged, for example ${examples.join(', ')}`;
}
