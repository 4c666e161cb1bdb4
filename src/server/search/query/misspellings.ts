const letters = 'aeosrnidlctumpbgvyqhfzjñxkw';
/** Lengths of words that are corrected. */
const lengths = { least: 4, most: 24 };
/** Maximum number of variants of a word with n and ñ exchanged. */
const mostWithOtherN = 15;
const mostVariants = 500;

/** Letters that sound alike in Spanish. A caret stands for the beginning of a word. */
const alike =
  '^hu ^gu ^w ^u, ^ ^h, b v, ll y i, qu k c q, c z s, x s cs cc, g j gu, h j, m n, rr r, i hi'
    .split(', ')
    .map((group) => group.split(' '));

/**
 * Words that a misspelt word may stand for, without itself: first words that sound alike, with up to two changes, then
 * words with one letter added, removed or replaced, or two adjacent letters swapped.
 * @param form in lower case, without diacritics except in ñ
 */
export function misspellings(form: string): string[] {
  if (!/^[a-zñ]+$/.test(form) || form.length < lengths.least || form.length > lengths.most)
    return [];
  const variants = new Set(soundingLike(form));
  for (const variant of [...variants]) {
    if (variants.size > mostVariants / 2) break;
    for (const other of soundingLike(variant)) variants.add(other);
  }
  for (const variant of oneLetterAway(form)) variants.add(variant);
  variants.delete(form);
  return [...variants].slice(0, mostVariants);
}

function soundingLike(form: string): string[] {
  const word = `^${form}`;
  const variants: string[] = [];
  for (const group of alike) {
    for (const one of group) {
      for (let at = word.indexOf(one); at !== -1; at = word.indexOf(one, at + 1)) {
        const [before, after] = [word.slice(0, at), word.slice(at + one.length)];
        variants.push(...group.map((other) => (before + other + after).slice(1)));
      }
    }
  }
  return variants;
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
      yield form.slice(0, at) + letter + form.slice(at + 1);
    }
  }
}

/** Variants of a word with n and ñ exchanged in one or more places. */
export function withOtherN(form: string): string[] {
  const forms = [form];
  for (const { index } of form.matchAll(/[nñ]/g)) {
    const other = form[index] === 'n' ? 'ñ' : 'n';
    const some = forms.slice(0, mostWithOtherN + 1 - forms.length);
    forms.push(...some.map((one) => one.slice(0, index) + other + one.slice(index + 1)));
  }
  return forms.slice(1);
}
