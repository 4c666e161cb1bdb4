import type { Comment } from '../../shared/comments.ts';
import type { Database } from '../database/tables.ts';
import { forEachYielding } from './yield-between.ts';

/** A comment that is in the database now. One that another process wrote comes by number alone. */
export interface CommentChange {
  kind: 'comment';
  channelId: string;
  number: number;
  comment?: Comment;
}

/** Something that anyone may see is different from now on: what a channel or an account shows. */
export type Change =
  | CommentChange
  | { kind: 'channel'; channelId: string }
  | { kind: 'account'; accountId: string };

/** `gap`: changes may have gone unheard, so whoever listens makes sure of what it has. */
export type News<Heard> = Heard | 'gap';
type Listener<Heard> = (news: News<Heard>) => void;

/** Carries word of each change to whoever shows or keeps what has changed. */
export interface LiveBus {
  /** Whether changes made by other processes are heard at this moment. */
  readonly isListening: boolean;
  /** Tells the other processes, as a part of the transaction: once it commits, or never. */
  announce(trx: Database, change: Change): Promise<void>;
  /** Tells this process, after the commit. */
  publish(change: Change): void;
  /** Comments of one channel. @returns a function that ends the subscription. */
  subscribe(channelId: string, listener: Listener<CommentChange>): () => void;
  /** Changes of all kinds, told before those who follow a channel hear of them. */
  watch(listener: Listener<Change>): void;
  close(): Promise<void>;
}

/** The bus within one process. */
export class LocalLiveBus implements LiveBus {
  readonly isListening: boolean = true;
  readonly #watchers: Listener<Change>[] = [];
  readonly #listeners = new Map<string, Set<Listener<CommentChange>>>();

  /** There are no other processes. */
  async announce(): Promise<void> {}

  publish(change: Change): void {
    for (const watcher of this.#watchers) watcher(change);
    if (change.kind !== 'comment') return;
    void forEachYielding(this.#listeners.get(change.channelId) ?? [], (listener) =>
      listener(change),
    );
  }

  /** Tells everyone that something may have been lost. */
  publishGap(): void {
    for (const watcher of this.#watchers) watcher('gap');
    for (const ofChannel of this.#listeners.values()) {
      void forEachYielding(ofChannel, (listener) => listener('gap'));
    }
  }

  subscribe(channelId: string, listener: Listener<CommentChange>): () => void {
    const ofChannel = this.#listeners.get(channelId) ?? new Set();
    this.#listeners.set(channelId, ofChannel.add(listener));
    return () => {
      ofChannel.delete(listener);
      if (ofChannel.size === 0) this.#listeners.delete(channelId);
    };
  }

  watch(listener: Listener<Change>): void {
    this.#watchers.push(listener);
  }

  async close(): Promise<void> {}
}
