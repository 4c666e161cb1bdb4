import type { Comment } from '../../shared/comments.ts';

type Listener = (comment: Comment) => void;

/** Carries each new comment to whoever has its channel open. */
export interface LiveBus {
  publish(comment: Comment): void;
  /** @returns a function that ends the subscription. */
  subscribe(channelId: string, listener: Listener): () => void;
}

/** The bus within one process. */
export function createLiveBus(): LiveBus {
  const listeners = new Map<string, Set<Listener>>();
  return {
    publish(comment) {
      for (const listener of listeners.get(comment.channelId) ?? []) listener(comment);
    },
    subscribe(channelId, listener) {
      const ofChannel = listeners.get(channelId) ?? new Set();
      listeners.set(channelId, ofChannel.add(listener));
      return () => {
        ofChannel.delete(listener);
        if (ofChannel.size === 0) listeners.delete(channelId);
      };
    },
  };
}
