import type { SearchOrder } from '../../../shared/search.ts';
import { InvalidCursor } from '../../database/errors.ts';

/** Position of a page of hits. */
export interface Position {
  /**
   * Kinds of hits that follow each other; `phrase`: exact ones where the words follow each other. Nothing but `loose`
   * ones, which lack a word, is shown where there are no others.
   */
  tier: 'phrase' | 'exact' | 'wide' | 'loose';
  /** The page begins below this doc; undefined for the newest. */
  before?: number | undefined;
  /** Phrases were looked for from this doc up; undefined when none were. */
  floor?: number | undefined;
}

/** Cursors of an order begin with letters that those of the other lack. */
const letters = {
  new: { phrase: '', exact: '', wide: 'w', loose: 'l' },
  relevance: { phrase: 'p', exact: 'r', wide: 'x', loose: 'm' },
};
/** `search_docs.doc` is a 32-bit integer on PostgreSQL. */
const maxDoc = 0x7fffffff;

export function formatCursor(
  generation: string,
  sort: SearchOrder,
  { tier, before, floor }: Position,
): string {
  const end = floor === undefined ? '' : `.${floor}`;
  return `${generation}.${letters[sort][tier]}${before ?? maxDoc}${end}`;
}

/** @throws InvalidCursor, also for a cursor of another order or from before the site was restored */
export function parseCursor(generation: string, sort: SearchOrder, after: string): Position {
  const [, issued, letter = '', doc, end] =
    /^([0-9a-f]{16})\.([a-z]?)(\d{1,10})(?:\.(\d{1,10}))?$/.exec(after) ?? [];
  const tier = (['exact', 'wide', 'loose', 'phrase'] as const).find(
    (one) => letters[sort][one] === letter,
  );
  const before = Number(doc);
  const floor = end === undefined ? undefined : Number(end);
  if (!tier || issued !== generation || !(before <= maxDoc && (floor ?? 0) <= maxDoc)) {
    throw new InvalidCursor();
  }
  return { tier, before, floor };
}
