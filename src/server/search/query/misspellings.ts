const letters = 'aeosrnidlctumpbgvyqhfzjñxkw';
/** Lengths of words that are corrected. */
const lengths = { least: 4, most: 24 };
/** Variants of a word with an ñ for an n or the other way round. */
const mostWithOtherN = 16;
const mostVariants = 500;

/** Letters that sound alike in Spanish, also several of them. */
const alike: [RegExp, string[]][] = [
  [/b/g, ['v']],
  [/v/g, ['b']],
  [/ll/g, ['y']],
  [/y/g, ['ll']],
  [/qu(?=[ei])/g, ['k', 'q', 'c']],
  [/k(?=[ei])/g, ['qu']],
  [/k/g, ['c']],
  [/q(?=[ei])/g, ['qu']],
  [/c(?=[ei])/g, ['z', 's', 'qu']],
  [/c(?=[aou])/g, ['k', 'qu']],
  [/z/g, ['c', 's']],
  [/s/g, ['c', 'z', 'x']],
  [/x/g, ['s', 'cs', 'cc']],
  [/cc/g, ['x', 'c']],
  [/g(?=[ei])/g, ['j', 'gu']],
  [/gu(?=[ei])/g, ['g']],
  [/j/g, ['g']],
  [/h/g, ['', 'j']],
  [/^(?=[aeiou])/g, ['h']],
  [/^(?=ue)/g, ['h']],
  [/^w/g, ['hu', 'gu', 'u']],
  [/^(?:hu|gu)(?=[aei])/g, ['w', 'gu', 'hu']],
  [/m(?=[bp])/g, ['n']],
  [/n(?=[bpv])/g, ['m']],
  [/i/g, ['y', 'hi']],
  [/rr/g, ['r']],
  [/(?<=[aeiou])r(?=[aeiou])/g, ['rr']],
];

/**
 * The words that may have been meant by a misspelt one, without it: first those that sound alike, with up to two
 * changes, then those with one letter more, less or other, or two that change places.
 * @param form lower case, without marks except ñ
 */
export function misspellings(form: string): string[] {
  if (!/^[a-zñ]+$/.test(form) || form.length < lengths.least || form.length > lengths.most)
    return [];
  const variants = new Set(soundingLike(form));
  for (const variant of [...variants]) {
    if (variants.size > mostVariants / 2) break;
    for (const other of soundingLike(variant)) variants.add(other);
  }
  for (const variant of oneLetterAway(form)) {
    if (variants.size > mostVariants) break;
    variants.add(variant);
  }
  variants.delete(form);
  return [...variants].slice(0, mostVariants);
}

function soundingLike(form: string): string[] {
  return alike.flatMap(([pattern, others]) =>
    Array.from(form.matchAll(pattern), ({ index, 0: { length } }) =>
      others.map((other) => form.slice(0, index) + other + form.slice(index + length)),
    ).flat(),
  );
}

function* oneLetterAway(form: string): Iterable<string> {
  for (let at = 0; at < form.length; at++) {
    const [before, after] = [form.slice(0, at), form.slice(at + 1)];
    yield before + after;
    yield before + after.charAt(0) + form.charAt(at) + after.slice(1);
  }
  for (const letter of letters) {
    for (let at = 0; at <= form.length; at++) {
      yield form.slice(0, at) + letter + form.slice(at);
      if (at < form.length) yield form.slice(0, at) + letter + form.slice(at + 1);
    }
  }
}

/** The word itself and those with ñ for n, or n for ñ, in some places. */
export function withOtherN(form: string): string[] {
  const forms = [form];
  for (const [at, letter] of [...form].entries()) {
    if (letter !== 'n' && letter !== 'ñ') continue;
    const other = letter === 'n' ? 'ñ' : 'n';
    for (const one of forms.slice(0, mostWithOtherN / 2)) {
      forms.push(one.slice(0, at) + other + one.slice(at + 1));
    }
  }
  return forms;
}
