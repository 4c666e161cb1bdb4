import type { Comment } from '../../shared/comments.ts';
import type { Database } from '../database/tables.ts';
import { forEachYielding } from './yield-between.ts';

/** A committed comment. One written by another process comes without its content. */
export interface CommentChange {
  kind: 'comment';
  channelId: string;
  number: number;
  comment?: Comment;
}

/** A change of public data: a comment, a channel or an account. */
export type Change =
  | CommentChange
  | { kind: 'channel'; channelId: string }
  | { kind: 'account'; accountId: string };

/** `gap`: notifications may have been lost, so listeners must re-read what they have. */
export type News<Heard> = Heard | 'gap';
type Listener<Heard> = (news: News<Heard>) => void;

/** Publishes changes to live streams and caches. */
export interface LiveBus {
  /** Whether changes made by other processes are received at this moment. */
  readonly isListening: boolean;
  /** Notifies other processes as part of the transaction: delivered only if it commits. */
  announce(trx: Database, change: Change): Promise<void>;
  /** Notifies listeners in this process, after the commit. */
  publish(change: Change): void;
  /** Comments of one channel. @returns a function that ends the subscription. */
  subscribe(channelId: string, listener: Listener<CommentChange>): () => void;
  /** Subscribes to all changes. Watchers are called before the subscribers of channels. */
  watch(listener: Listener<Change>): void;
  close(): Promise<void>;
}

/** The bus within one process. */
export class LocalLiveBus implements LiveBus {
  readonly isListening: boolean = true;
  readonly #watchers: Listener<Change>[] = [];
  readonly #listeners = new Map<string, Set<Listener<CommentChange>>>();

  /** Does nothing: there are no other processes. */
  async announce(): Promise<void> {}

  publish(change: Change): void {
    for (const watcher of this.#watchers) watcher(change);
    if (change.kind !== 'comment') return;
    void forEachYielding(this.#listeners.get(change.channelId) ?? [], (listener) =>
      listener(change),
    );
  }

  /** Notifies all watchers and subscribers that changes may have been lost. */
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
