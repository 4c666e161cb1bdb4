/** A queue whose keys take turns, so that a key with a thousand items delays another by only one of them. */
export class FairQueue<T> {
  /** Items by key, in the order of rotation. */
  readonly #queues = new Map<string, T[]>();

  length(key: string): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  push(key: string, item: T): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(item);
    else this.#queues.set(key, [item]);
  }

  /** Returns the item that `shift` would return. */
  peek(): T | undefined {
    const [first] = this.#queues.values();
    return first?.[0];
  }

  /** Removes and returns the next item, and moves its key to the end of the rotation. */
  shift(): T | undefined {
    const [first] = this.#queues;
    if (!first) return undefined;
    const [key, queue] = first;
    const item = queue.shift();
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
    return item;
  }
}
