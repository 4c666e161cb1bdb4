import { InvalidCursor } from '../../database/errors.ts';

/** Position of a page of hits: below a doc. */
export interface NewestCursor {
  before: number;
}

/** Position of a page of ranked hits. */
export interface RankCursor {
  /** The newest hits below this doc are ranked. */
  before: number;
  /** The last hit of the previous page; undefined on the first page of these hits. */
  last: { atMs: number; score: number; doc: number } | undefined;
}

/** `search_docs.doc` is a 32-bit integer on PostgreSQL. */
const maxDoc = 0x7fffffff;

export function formatNewestCursor(generation: string, { before }: NewestCursor): string {
  return `${generation}.${before}`;
}

export function formatRankCursor(generation: string, { before, last }: RankCursor): string {
  const position = last ? `.${last.atMs}.${last.score}.${last.doc}` : '';
  return `${generation}.r${before}${position}`;
}

/** @throws InvalidCursor, also for a cursor of another order or from before the site was restored */
export function parseNewestCursor(generation: string, after: string): NewestCursor {
  const [, issued, before] = /^([0-9a-f]{16})\.(\d{1,10})$/.exec(after) ?? [];
  return { before: toDoc(before, issued === generation) };
}

const rankCursor = /^([0-9a-f]{16})\.r(\d{1,10})(?:\.(\d{1,15})\.(\d{1,6})\.(\d{1,10}))?$/;

/** @throws InvalidCursor, also for a cursor of another order or from before the site was restored */
export function parseRankCursor(generation: string, after: string): RankCursor {
  const [, issued, before, atMs, score, doc] = rankCursor.exec(after) ?? [];
  return {
    before: toDoc(before, issued === generation),
    last:
      doc === undefined
        ? undefined
        : { atMs: Number(atMs), score: Number(score), doc: toDoc(doc, true) },
  };
}

function toDoc(text: string | undefined, isCurrent: boolean): number {
  const doc = Number(text);
  if (!isCurrent || !(doc <= maxDoc)) throw new InvalidCursor();
  return doc;
}
