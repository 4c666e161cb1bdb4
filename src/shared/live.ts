/** Names of the events on a channel's live stream. */
export const liveEvents = {
  /** Sent first; data is a LiveOpened, the event id the number of the comment after which the stream starts. */
  opened: 'opened',
  /** One new comment; data is a Comment, the event id its number. */
  comment: 'comment',
  /** Something that the page may show has changed, or more comments were missed than are sent; data is a LiveChanged. */
  changed: 'changed',
} as const;

export interface LiveOpened {
  /** Another one than before means that the site was restored meanwhile: everything is fetched again. */
  epoch: string;
  /** The server's time in milliseconds since 1970. */
  nowMs: number;
}

export interface LiveChanged {
  /** Numbers of comments that were edited, deleted, hidden or restored. Without them anything of the channel may have changed. */
  numbers?: number[];
}
