const maxVariants = 8;

/** Matches an ñ, an n between vowels as in `ano`, and an initial n before a vowel as in `nandu`. */
const TILDE = /ñ/giu;
const BETWEEN_VOWELS = /(?<=[aeiouáéíóúü])n(?=[aeiouáéíóúü])/giu;
const AT_BEGINNING = /(?<![\p{L}\p{N}])n(?=[aeiouáéíóúü])/giu;

/**
 * Returns the query with ñ for n where Spanish may have one, and n for ñ: `ano` -> `año`. At most 8, those
 * with the fewest changes first, then one with a change in each word; the rest stays as typed (in NFC). The
 * query itself is not included.
 */
export function suggestVariants(q: string): string[] {
  const typed = q.normalize('NFC');
  const find = (pattern: RegExp) => Array.from(typed.matchAll(pattern), ({ index }) => index);
  const likely = [...find(TILDE), ...find(BETWEEN_VOWELS)].sort((a, b) => a - b);
  const indexes = (likely.length > 0 ? likely : find(AT_BEGINNING)).slice(0, maxVariants);

  /** Each set of indexes is an earlier set plus an index after its last. */
  const sets: number[][] = [[]];
  for (const set of sets) {
    if (sets.length > maxVariants) break;
    for (const index of indexes) if (index > (set.at(-1) ?? -1)) sets.push([...set, index]);
  }
  const chosen = sets.slice(1, maxVariants + 1);
  // A keyboard without ñ replaces it in every word.
  const inEachWord = indexes.filter(
    (index, i) => i === 0 || /[^\p{L}]/u.test(typed.slice(indexes[i - 1], index)),
  );
  const isLeftOut = sets.length > maxVariants + 1 && inEachWord.length > 2;
  if (isLeftOut) chosen[maxVariants - 1] = inEachWord;
  return chosen.map((set) => withChanges(typed, set));
}

function withChanges(text: string, indexes: number[]): string {
  const letters: Record<string, string> = { n: 'ñ', N: 'Ñ', ñ: 'n', Ñ: 'N' };
  let changed = '';
  let at = 0;
  for (const index of indexes) {
    changed += text.slice(at, index) + (letters[text.charAt(index)] ?? '');
    at = index + 1;
  }
  return changed + text.slice(at);
}
