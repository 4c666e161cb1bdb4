/** Words in -s that would get the token of another word without it: `dios` and `dio`, `Marcos` and `marco`. */
const NOT_PLURAL = new Set('antes danes dios gales interes marcos martes menos tomas'.split(' '));

/** Singulars of the form of `sale`, whose plurals would get the token of a word like `sal`. */
const SHORT_IN_E = new Set(
  'base bide cine doce fase goce hule jade mole nene pase pene pose pure roce sede tele vale'.split(
    ' ',
  ),
);

const PLAIN = /^[a-zñ]+$/;
const CAN_END_SINGULAR = /^[^aeiou][aeiou][cdjlnrsxyz]$/;
const ONLY_LAST_IS_VOWEL = /^[^aeiou]*[aeiou]$/;
const FEMININE_OF_CONSONANT =
  /(?:..[dstñ]or|(?:dan|gal|....)es|ñol|eon|daluz|...[^i]an|(?:cli|di|id)ent)a$/;
const FEMININE_OF_O =
  /(?:[aeiou][^aeiou]{0,4}[ai]d|...os|...iv|...ari|....eñ|ñer|isim|ican|....ian|^..[^i]an)a$/;

/**
 * A form that a word shares with its plural and, where the rule is safe, with its other gender: `luces`
 * and `luz`, `profesoras` and `profesor`. It need not be a word. It does not depend on accents.
 * @param word lower case, without marks except ñ
 */
export function stem(word: string): string {
  let last = word;
  for (;;) {
    const next = shorten(last);
    if (next === last) return next;
    last = next;
  }
}

function shorten(word: string): string {
  const end = word.charAt(word.length - 1);
  if (!(end === 's' || end === 'a' || end === 'e' || end === 'y') || !PLAIN.test(word)) return word;
  if (end === 's') return singularOf(word);
  const base = word.slice(0, -1);
  if (end === 'a') {
    // cansada -> cansado, famosa -> famoso, italiana -> italiano; but nada, cosa, Adriana.
    if (FEMININE_OF_O.test(word)) return `${base}o`;
    // inglesa -> ingles, profesora -> profesor, española -> español; but mesa, Vanesa, flora, cola.
    return FEMININE_OF_CONSONANT.test(word) ? base : word;
  }
  // penalty -> penalti, jersey -> jersei; but rey.
  if (end === 'y') return word.length > 3 ? `${base}i` : word;
  // tomate -> tomat, like tomates; but sale and extrae.
  return word.length > 4 && !/[aeo]$/.test(base) ? withFinalZ(base) : word;
}

function singularOf(word: string): string {
  // mes, gas, las, martes.
  if (word.length < 4 || NOT_PLURAL.has(word)) return word;
  if (word.endsWith('es')) {
    const base = word.slice(0, -2);
    // canciones -> cancion, tabues -> tabu; meses -> mes, luces -> luz; but nubes, cines, heroes.
    const isShortSingular = CAN_END_SINGULAR.test(base) && !SHORT_IN_E.has(`${base}e`);
    if ((base.length > 3 && !/[aeo]$/.test(base)) || isShortSingular) return withFinalZ(base);
  }
  const base = word.slice(0, -1);
  // clubs -> club; but fitness.
  if (!/[aeiou]$/.test(base)) return base.endsWith('s') ? word : base;
  // casas -> casa, pies -> pie, taxis -> taxi; but tres, tras and pais.
  const isPlural = !ONLY_LAST_IS_VOWEL.test(base) && !(word.length === 4 && base.endsWith('i'));
  return isPlural ? base : word;
}

/** `luc`, of luces, is `luz`; `dulc`, of dulces, stays. */
function withFinalZ(base: string): string {
  return /[aeiou]c$/.test(base) ? `${base.slice(0, -1)}z` : base;
}
