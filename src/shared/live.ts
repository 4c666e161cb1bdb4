/** Names of the events on a channel's live stream. */
export const liveEvents = {
  /** First on each stream; data is a LiveOpened, the event id the position where it starts. */
  opened: 'opened',
  /** One new comment; data is a Comment, the event id `eventId` of its `id`. */
  comment: 'comment',
  /** The reader missed more comments than are replayed and must fetch the list; data is a LiveMissed. */
  missed: 'missed',
} as const;

export interface LiveOpened {
  /** Of the site: if it differs from that of the last stream, the site was restored meanwhile. */
  generation: string;
}

export interface LiveMissed {
  /**
   * False: the reader's comments are valid, and the list continues after them. True: the site was
   * restored from a backup and may lack the reader's comments.
   */
  restored: boolean;
}

/** A position in the stream: `<generation>.<comment id>`. The server accepts a comment id alone too. */
export function eventId(generation: string, commentId: string): string {
  return `${generation}.${commentId}`;
}
