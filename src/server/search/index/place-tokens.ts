/** Docs in a part of the index. Searches read it part by part, the newest first. */
export const levels = [
  { name: 'b', docs: 8192 },
  { name: 'r', docs: 65_536 },
  { name: 's', docs: 524_288 },
] as const;

/** How large a part is: 0 for 8,192 docs, 1 for 65,536, 2 for 524,288. */
export type Level = 0 | 1 | 2;

/** How many times as large a part of the next level is. */
export const partsInNext = 8;

/** The token that the comments of a channel have. @param channel `search_channels.id` */
export function channelToken(channel: number): string {
  return `_c${channel}`;
}

/** The tokens that tell where a comment is, beside those of its words, which never contain `_`. */
export function placeTokens(channel: number, doc: number): string[] {
  const parts = levels.map(({ name, docs }) => `_${name}${Math.floor(doc / docs)}`);
  return [channelToken(channel), ...parts];
}

/** The docs of a part from its first one up to `end`, which is not one of them. */
export interface DocRange {
  /** All docs of the part have it, those from `end` on too. */
  token: string;
  start: number;
  end: number;
}

/** The part in which the doc before this one is. @param end at least 1 */
export function rangeBelow(end: number, level: Level): DocRange {
  const { name, docs } = levels[level];
  const part = Math.floor((end - 1) / docs);
  return { token: `_${name}${part}`, start: part * docs, end };
}
