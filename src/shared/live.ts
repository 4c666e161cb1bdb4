/** Names of the events on a channel's live stream. */
export const liveEvents = {
  /** First on each stream; data is a LiveOpened, the event id the position where it starts. */
  opened: 'opened',
  /** One new comment; data is a Comment. */
  comment: 'comment',
  /** An earlier comment was edited, answered, thanked or restored; data is the Comment as it now is. */
  edit: 'edit',
  /** A comment was deleted or hidden; data is a LiveGone. */
  gone: 'gone',
  /** The channel was edited, closed or reopened; data is the Channel without comments. */
  channel: 'channel',
  /** Follows the `edit`, `gone` and `channel` events that are sent together; data is a LiveCounts. */
  counts: 'counts',
  /** The reader missed more than is replayed and must fetch the list; data is a LiveMissed. */
  missed: 'missed',
} as const;

export interface LiveOpened {
  /** Of the site: if it differs from that of the last stream, the site was restored meanwhile. */
  generation: string;
}

export interface LiveGone {
  /** Of the comment. */
  id: string;
  number: number;
}

/** Of the whole channel. */
export interface LiveCounts {
  /** How many numbers the list of comments skips. */
  removedCount: number;
  /** Number of the newest comment. */
  newestNumber: number;
  /** Number of the newest change; all changes up to it were sent. */
  changeNumber: number;
}

export interface LiveMissed {
  /**
   * False: the reader's comments are valid, and the list continues after them. True: the site was
   * restored from a backup and may lack the reader's comments.
   */
  restored: boolean;
  /** Whether comments were edited or removed: the reader's may be outdated. */
  changes: boolean;
}

/**
 * A position in the stream: `<generation>.<comment id>.<change number>`, the newest comment and the
 * newest change seen. The server also accepts it without generation, change number or both.
 */
export function eventId(generation: string, commentId: string, changeNumber: number): string {
  return `${generation}.${commentId}.${changeNumber}`;
}
