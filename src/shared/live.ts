/** Names of the events on a channel's live stream. */
export const liveEvents = {
  /** Sent first. Data is a LiveOpened; the event id is the number of the comment after which the stream starts. */
  opened: 'opened',
  /** One new comment. Data is a Comment; the event id is its number. */
  comment: 'comment',
  /**
   * Something that the page may show has changed, or more comments were missed than are sent. Data is a LiveChanged.
   */
  changed: 'changed',
} as const;

export interface LiveOpened {
  /** A new epoch means that the site was restored, so everything must be fetched again. */
  epoch: string;
  /** The server's time in milliseconds since 1970. */
  nowMs: number;
}

export interface LiveChanged {
  /**
   * Numbers of comments that were edited, deleted, hidden or restored. Without it, anything in the channel may have
   * changed.
   */
  numbers?: number[];
}
