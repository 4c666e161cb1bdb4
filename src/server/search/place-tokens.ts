/** Docs in a block, and in a row of blocks. Searches read the index block by block, the newest first. */
export const blockSize = 8192;
export const blocksInRow = 8;

/** The token that the comments of a channel have. @param channel `search_channels.id` */
export function channelToken(channel: number): string {
  return `_c${channel}`;
}

/** The tokens that tell where a comment is, beside those of its words, which never contain `_`. */
export function placeTokens(channel: number, doc: number): string[] {
  const block = blockOf(doc);
  return [channelToken(channel), `_b${block}`, `_r${Math.floor(block / blocksInRow)}`];
}

export function blockOf(doc: number): number {
  return Math.floor(doc / blockSize);
}

/** Docs from the first of a block up to `end`, which is not one of them. */
export interface DocRange {
  startBlock: number;
  end: number;
}

/** Tokens of which each doc of the range has one, as have docs from `end` to the end of its block. */
export function blockTokens({ startBlock, end }: DocRange): string[] {
  const endBlock = blockOf(end - 1) + 1;
  const tokens = [];
  for (let block = startBlock; block < endBlock; ) {
    const isRow = block % blocksInRow === 0 && block + blocksInRow <= endBlock;
    tokens.push(isRow ? `_r${block / blocksInRow}` : `_b${block}`);
    block += isRow ? blocksInRow : 1;
  }
  return tokens;
}
