/** Sizes of the parts of the index, in docs. Searches read the index part by part, newest first. */
export const levels = [
  { name: 'b', docs: 8192 },
  { name: 'r', docs: 65_536 },
  { name: 's', docs: 524_288 },
] as const;

/** Size of a part: 0 for 8,192 docs, 1 for 65,536, 2 for 524,288. */
export type Level = 0 | 1 | 2;

/** Parts of one level in a part of the next level. */
export const partsInNext = 8;

/** The token that all comments of a channel have. @param channel `search_channels.id` */
export function channelToken(channel: number): string {
  return `_c${channel}`;
}

/** Tokens for the channel of a comment and for its part at each level. Words never contain `_`. */
export function partitionTokens(channel: number, doc: number): string[] {
  const parts = levels.map(({ name, docs }) => `_${name}${Math.floor(doc / docs)}`);
  return [channelToken(channel), ...parts];
}

/** The docs of a part from `start` (inclusive) to `end` (exclusive). */
export interface DocRange {
  /** The token of all docs of the part, including those from `end` on. */
  token: string;
  start: number;
  end: number;
}

/** The docs below `end` in the part of doc `end - 1`. @param end at least 1 */
export function rangeBelow(end: number, level: Level): DocRange {
  const { name, docs } = levels[level];
  const part = Math.floor((end - 1) / docs);
  return { token: `_${name}${part}`, start: part * docs, end };
}
