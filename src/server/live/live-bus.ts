import type { Comment } from '../../shared/comments.ts';
import type { Database } from '../database/tables.ts';

/** A comment that is in the database now. One that another process wrote comes by number alone. */
export interface Announcement {
  channelId: string;
  number: number;
  comment?: Comment;
}

/** `gap`: announcements may have been lost, so whoever follows reads what it does not have. */
export type News = Announcement | 'gap';
type Listener = (news: News) => void;

/** Carries word of each new comment to whoever has its channel open. */
export interface LiveBus {
  /** Tells the other processes, as a part of the transaction: once it commits, or never. */
  announce(trx: Database, channelId: string, number: number): Promise<void>;
  /** Tells this process, after the commit. */
  publish(announcement: Announcement): void;
  /** @returns a function that ends the subscription. */
  subscribe(channelId: string, listener: Listener): () => void;
  close(): Promise<void>;
}

/** The bus within one process. */
export class LocalLiveBus implements LiveBus {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** There are no other processes. */
  async announce(): Promise<void> {}

  publish(announcement: Announcement): void {
    for (const listener of this.#listeners.get(announcement.channelId) ?? []) {
      listener(announcement);
    }
  }

  /** Tells every reader of every channel that something may have been lost. */
  publishGap(): void {
    for (const ofChannel of this.#listeners.values()) {
      for (const listener of ofChannel) listener('gap');
    }
  }

  subscribe(channelId: string, listener: Listener): () => void {
    const ofChannel = this.#listeners.get(channelId) ?? new Set();
    this.#listeners.set(channelId, ofChannel.add(listener));
    return () => {
      ofChannel.delete(listener);
      if (ofChannel.size === 0) this.#listeners.delete(channelId);
    };
  }

  async close(): Promise<void> {}
}
