/** Names of the events on a channel's live stream. */
export const liveEvents = {
  /** One new comment; data is a Comment, the event id its `id`. */
  comment: 'comment',
  /** More was missed than is replayed: the reader fetches the list from where it stood. */
  missed: 'missed',
} as const;
