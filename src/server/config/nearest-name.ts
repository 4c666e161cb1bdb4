/** Longer names are not compared: the time grows with the product of both lengths. */
const maxChars = 60;

/**
 * Finds the known name that a misspelt one most likely means. Case, hyphens and underscores are
 * ignored.
 * @returns undefined when no name is similar: one difference for every four letters, at least one
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const given = lettersOf(name);
  if (given.length < 2 || given.length > maxChars) return undefined;
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(given.length / 4)) + 1;
  for (const candidate of known) {
    const differences = countDifferences(given, lettersOf(candidate));
    if (differences < fewest) [nearest, fewest] = [candidate, differences];
  }
  return nearest;
}

function lettersOf(name: string): string {
  return name.toUpperCase().replace(/[-_\s]/g, '');
}

/** Counts letters that are added, missing, replaced or swapped with the next one. */
function countDifferences(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let fewest = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) fewest = Math.min(fewest, (before[j - 2] ?? 0) + 1);
      row.push(fewest);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
