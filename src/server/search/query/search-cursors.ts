import type { SearchOrder } from '../../../shared/search.ts';
import { InvalidCursor } from '../../database/errors.ts';
import { docsEnd } from './find-docs.ts';

/**
 * Kinds of hits, in their order: exact ones where the words follow each other, all exact ones, those with other forms of
 * verbs, those with other words of the same root, and where there are no others those that lack a word.
 */
const tiers = ['phrase', 'exact', 'wide', 'bare', 'loose'] as const;
export type Tier = (typeof tiers)[number];

/** Position of a page of hits. */
export interface Position {
  tier: Tier;
  /** The page begins below this doc. */
  before: number;
  /** Later tiers begin below this doc, so that comments written since the first page are no hits. */
  top: number;
  /** Docs shown before that later tiers would repeat. */
  shown: number[];
}

/** Cursors of an order begin with letters that those of the other lack. */
const letters = {
  new: { phrase: 'n', exact: '', wide: 'w', bare: 'b', loose: 'l' },
  relevance: { phrase: 'p', exact: 'r', wide: 'x', bare: 'y', loose: 'm' },
};

export function formatCursor(
  generation: string,
  sort: SearchOrder,
  { tier, before, top, shown }: Position,
): string {
  const docs = [top, ...shown].map((doc) => doc.toString(36)).join('.');
  return `${generation}.${letters[sort][tier]}${before}.${docs}`;
}

/** @throws InvalidCursor, also for a cursor of another order or from before the site was restored */
export function parseCursor(generation: string, sort: SearchOrder, after: string): Position {
  const [, issued, letter = '', doc, docs = ''] =
    /^([0-9a-f]{16})\.([a-z]?)(\d{1,10})((?:\.[0-9a-z]{1,6}){0,21})$/.exec(after) ?? [];
  const tier = tiers.find((one) => letters[sort][one] === letter);
  const before = Number(doc);
  const numbers = docs
    .split('.')
    .slice(1)
    .map((one) => Number.parseInt(one, 36));
  const [top = before, ...shown] = numbers;
  if (!tier || issued !== generation || !(Math.max(before, ...numbers) <= docsEnd)) {
    throw new InvalidCursor();
  }
  return { tier, before, top, shown };
}
