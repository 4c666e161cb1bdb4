/** What a live stream replays of missed comments; beyond either, it sends `missed` instead. */
export const replayLimits = {
  comments: 100,
  /** Bytes of the events, as sent. */
  bytes: 256 * 1024,
} as const;
