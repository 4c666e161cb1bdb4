import { type LiveBus, LocalLiveBus } from '../../src/server/live-bus/live-bus.ts';

/** A `LocalLiveBus` that counts the subscribers of each channel. */
export class CountedLiveBus implements LiveBus {
  readonly #bus = new LocalLiveBus();
  readonly isListening = true;
  readonly #readers = new Map<string, number>();

  announce: LiveBus['announce'] = () => this.#bus.announce();
  publish: LiveBus['publish'] = (change) => this.#bus.publish(change);
  watch: LiveBus['watch'] = (listener) => this.#bus.watch(listener);
  close: LiveBus['close'] = () => this.#bus.close();

  subscribe: LiveBus['subscribe'] = (channelId, listener) => {
    const end = this.#bus.subscribe(channelId, listener);
    this.#change(channelId, 1);
    return () => {
      end();
      this.#change(channelId, -1);
    };
  };

  readersOf(channelId: string): number {
    return this.#readers.get(channelId) ?? 0;
  }

  #change(channelId: string, by: number): void {
    this.#readers.set(channelId, this.readersOf(channelId) + by);
  }
}
