export interface Case {
  id: string;
  category: string;
  half: 'open' | 'held-out';
  q: string;
  /** Ids of all comments that a person would accept; empty when nothing should be found. */
  right: string[];
  /** Ids, one of which should come first. When empty, any of `right` may. */
  best: string[];
  /** Ids that must not be found above the right ones. */
  wrong: string[];
  /** Ids of the people whom the name in the query means. */
  people?: string[];
  note: string;
}

export interface Answer {
  /** Ids of the comments on the first page, in order. */
  hits: string[];
  /** Names of the people on the first page. */
  people: string[];
}

/** Result of one case. A figure is undefined when the case does not ask for it. */
export interface Score {
  recall: number | undefined;
  isFirstRight: boolean | undefined;
  isFirstBest: boolean | undefined;
  isEmpty: boolean | undefined;
  arePeopleFound: boolean | undefined;
  /** Right comments that are not among the first ten. */
  missing: string[];
  /**
   * Wrong comments above the last right one, or all of them when no right one was found. When nothing should be found,
   * every hit.
   */
  wrongHits: string[];
}

const counted = 10;

/** @param namesOf names of people by id */
export function score(
  { right, best, wrong, people }: Case,
  { hits, people: found }: Answer,
  namesOf: ReadonlyMap<string, string>,
): Score {
  const asksForHits = right.length > 0;
  const [first] = hits;
  const hasFirst = (ids: string[]) => first !== undefined && ids.includes(first);
  const top = hits.slice(0, counted);
  const foundRight = right.filter((id) => top.includes(id));
  const lastRight = hits.findLastIndex((id) => right.includes(id));
  const above = lastRight < 0 ? hits : hits.slice(0, lastRight);
  return {
    recall: asksForHits ? foundRight.length / Math.min(counted, right.length) : undefined,
    isFirstRight: asksForHits ? hasFirst(right) : undefined,
    isFirstBest: best.length > 0 ? hasFirst(best) : undefined,
    isEmpty: asksForHits ? hits.length === 0 : undefined,
    arePeopleFound: people?.every((id) => found.includes(namesOf.get(id) ?? '')),
    missing: foundRight.length < counted ? right.filter((id) => !top.includes(id)) : [],
    wrongHits: above.filter((id) => !asksForHits || wrong.includes(id)),
  };
}

export function isPassed({ recall, isFirstRight, arePeopleFound, wrongHits }: Score): boolean {
  return (
    (recall ?? 1) === 1 && isFirstRight !== false && arePeopleFound !== false && !wrongHits.length
  );
}

export interface Figures {
  cases: number;
  /** Means over all cases with this figure, from 0 to 1; null without any. */
  recall: number | null;
  firstRight: number | null;
  firstBest: number | null;
  nothingFound: number | null;
  peopleFound: number | null;
  /** Total in all cases. */
  wrongHits: number;
  passed: number;
}

export function summarize(scores: readonly Score[]): Figures {
  const mean = (figureOf: (score: Score) => number | boolean | undefined) => {
    const values = scores.map(figureOf).filter((value) => value !== undefined);
    const sum = values.reduce<number>((total, value) => total + Number(value), 0);
    return values.length > 0 ? sum / values.length : null;
  };
  return {
    cases: scores.length,
    recall: mean(({ recall }) => recall),
    firstRight: mean(({ isFirstRight }) => isFirstRight),
    firstBest: mean(({ isFirstBest }) => isFirstBest),
    nothingFound: mean(({ isEmpty }) => isEmpty),
    peopleFound: mean(({ arePeopleFound }) => arePeopleFound),
    wrongHits: scores.reduce((total, { wrongHits }) => total + wrongHits.length, 0),
    passed: scores.filter(isPassed).length,
  };
}
