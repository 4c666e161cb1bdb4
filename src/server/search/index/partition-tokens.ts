/** Comments in one block of the index. Searches read the index block by block, the newest first. */
export const blockDocs = 65_536;

/** The token that all comments of a channel have. @param channel `search_channels.id` */
export function channelToken(channel: number): string {
  return `__c${channel}`;
}

export function blockOf(doc: number): number {
  return Math.floor(doc / blockDocs);
}

export function blockToken(block: number): string {
  return `__b${block}`;
}

/**
 * Tokens for the channel of a comment and for its block. Words never contain `_`; two of them keep the tokens out of
 * each other's way in SQLite's index of prefixes.
 */
export function partitionTokens(channel: number, doc: number): string[] {
  return [channelToken(channel), blockToken(blockOf(doc))];
}
