/** Names of the events on a channel's live stream. */
export const liveEvents = {
  /** First on each stream; data is a LiveOpened, the event id the place that it starts from. */
  opened: 'opened',
  /** One new comment; data is a Comment, the event id `eventId` of its `id`. */
  comment: 'comment',
  /** The reader lacks more than is replayed, and fetches the list; data is a LiveMissed. */
  missed: 'missed',
} as const;

export interface LiveOpened {
  /** Of the site: another one since the last stream means that the site was restored meanwhile. */
  generation: string;
}

export interface LiveMissed {
  /**
   * False: what the reader has still holds, and the list goes on from there. True: the site was
   * restored from a backup, and the reader's comments may not be in it.
   */
  restored: boolean;
}

/** Where a reader stands: `<generation>.<comment id>`. A comment id alone is taken too. */
export function eventId(generation: string, commentId: string): string {
  return `${generation}.${commentId}`;
}
