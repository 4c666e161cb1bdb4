/** Names of the events on a channel's live stream. */
export const liveEvents = {
  /** Sent first; data is a LiveOpened, the event id the position where the stream starts. */
  opened: 'opened',
  /** One new comment; data is a Comment. */
  comment: 'comment',
  /** An earlier comment was edited, answered, thanked or restored; data is its current Comment. */
  edit: 'edit',
  /** A comment was deleted or hidden; data is a LiveGone. */
  gone: 'gone',
  /** The channel was edited, closed or reopened; data is the Channel without comments. */
  channel: 'channel',
  /** Follows the `edit`, `gone` and `channel` events that are sent together, and `missed` without changes; data is a LiveCounts. */
  counts: 'counts',
  /** The reader missed more than is replayed and must fetch the list; data is a LiveMissed. */
  missed: 'missed',
} as const;

export interface LiveOpened {
  /** Generation of the site; another one than before means that the site was restored meanwhile. */
  generation: string;
  /** The server's time in milliseconds since the epoch. */
  nowMs: number;
}

export interface LiveGone {
  /** Id of the comment. */
  id: string;
  number: number;
}

/** Counts of the whole channel. */
export interface LiveCounts {
  /** Number of hidden or deleted comments, whose numbers the list skips. */
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
  /** Whether comments were edited, deleted or hidden, so that the reader's may be outdated. */
  changes: boolean;
}

/**
 * A position in the stream: `<generation>.<comment id>.<change number>`, the newest comment and the
 * newest change seen. The server also accepts it without generation, change number or both.
 */
export function eventId(generation: string, commentId: string, changeNumber: number): string {
  return `${generation}.${commentId}.${changeNumber}`;
}
