/** Most variants of a query. */
const maxVariants = 8;

/** An ñ; an n between vowels, as in `ano`; an n before a vowel at the beginning, as in `nandu`. */
const TILDE = /ñ/giu;
const BETWEEN_VOWELS = /(?<=[aeiouáéíóúü])n(?=[aeiouáéíóúü])/giu;
const AT_BEGINNING = /(?<![\p{L}\p{N}])n(?=[aeiouáéíóúü])/giu;

/**
 * A query with ñ for n where Spanish may have one, and n for ñ: `ano` -> `año`. At most 8, those with the
 * fewest changes first, then one with a change in each word; everything else stays as it is typed (in
 * NFC). Never the query itself.
 */
export function suggestVariants(q: string): string[] {
  const typed = q.normalize('NFC');
  const find = (pattern: RegExp) => Array.from(typed.matchAll(pattern), ({ index }) => index);
  const likely = [...find(TILDE), ...find(BETWEEN_VOWELS)].sort((a, b) => a - b);
  const places = (likely.length > 0 ? likely : find(AT_BEGINNING)).slice(0, maxVariants);

  /** Each set of places is one that was found before and a place behind its last. */
  const sets: number[][] = [[]];
  for (const set of sets) {
    if (sets.length > maxVariants) break;
    for (const place of places) if (place > (set.at(-1) ?? -1)) sets.push([...set, place]);
  }
  const chosen = sets.slice(1, maxVariants + 1);
  // A keyboard without ñ leaves it out of every word.
  const inEachWord = places.filter(
    (place, i) => i === 0 || /[^\p{L}]/u.test(typed.slice(places[i - 1], place)),
  );
  const isLeftOut = sets.length > maxVariants + 1 && inEachWord.length > 2;
  if (isLeftOut) chosen[maxVariants - 1] = inEachWord;
  return chosen.map((set) => withChanges(typed, set));
}

function withChanges(text: string, places: number[]): string {
  const letters: Record<string, string> = { n: 'ñ', N: 'Ñ', ñ: 'n', Ñ: 'N' };
  let changed = '';
  let at = 0;
  for (const place of places) {
    changed += text.slice(at, place) + (letters[text.charAt(place)] ?? '');
    at = place + 1;
  }
  return changed + text.slice(at);
}
