import { LiveBus } from '../../src/server/live/bus/live-bus.ts';

/** A `LiveBus` that counts the subscribers of each channel. */
export class CountedLiveBus extends LiveBus {
  readonly #readers = new Map<string, number>();

  override subscribe(...[channelId, listener]: Parameters<LiveBus['subscribe']>): () => void {
    const end = super.subscribe(channelId, listener);
    this.#change(channelId, 1);
    return () => {
      end();
      this.#change(channelId, -1);
    };
  }

  readersOf(channelId: string): number {
    return this.#readers.get(channelId) ?? 0;
  }

  #change(channelId: string, by: number): void {
    this.#readers.set(channelId, this.readersOf(channelId) + by);
  }
}
