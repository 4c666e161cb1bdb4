import { stemmer } from '@orama/stemmers/spanish';
import { irregularForms, regularEnds } from './irregular-verbs.ts';

const setOf = (list: string) => new Set(list.trim().split(/\s+/));

/** Words without a meaning of their own. */
const functionWords = setOf(`
  a al algo alguien algun alguna algunas alguno algunos ambos ante antes aquel aquella aquello aqui asi aun aunque bajo
  bien cada casi con contra cualquier de del desde despues durante e el ella ellas ello ellos en entonces entre era eran
  eres es esa esas ese eso esos esta estaba estan estar estas este esto estos estoy fue ha habia han has hasta hay he
  hemos la las le les lo los mas me mi mis mucha muchas mucho muchos muy nada ni ningun ninguna ninguno no nos nosotros o
  os otra otras otro otros para pero poca poco por porque pues que quienes se sea ser si sin sino sobre solo somos son soy
  su sus tal tambien tampoco tan tanta tanto te ti toda todas todo todos tu tus u un una unas uno unos usted ustedes vos
  vosotros y ya yo
`);

/** Question words. Like function words, they need not occur in a text. */
const questionWords = setOf(`
  como cual cuales cuando cuanta cuantas cuanto cuantos donde quien aconseja alternativa busco conoce conoceis conocen
  gustaria haceis hacer hago hacen merece mejor mejores necesito pena podeis podemos podria podriais podrian puede pueden
  puedo quiero recomendais recomiendan recomienda sabe sabeis saben sabes sirve tengo tiene vale ayuda
`);

export function isQuestionWord(form: string): boolean {
  return questionWords.has(form);
}

/** Whether a text may lack the word even if it is searched for. */
export function isOptional(form: string): boolean {
  return functionWords.has(form) || questionWords.has(form);
}

/** The last three letters of irregular roots. */
const lastLetters = new Set(regularEnds.keys().map((end) => end.slice(-3)));

/** Words in -s that would otherwise share the token of an unrelated word: `dios` and `dio`, `Marcos` and `marco`. */
const NOT_PLURAL = new Set('antes danes dios gales interes marcos martes menos tomas'.split(' '));

/** Short words in -e whose plurals must not lose -es, as the plural of `sal` does. */
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
 * The tokens that a word is indexed by. The first is its stem. The others are roots that it shares with other forms of
 * its verb, its diminutive and some derived words, such as `trajo` and `traer`. A word such as `cuento`, whose ending
 * is at most a vowel and an s, is not indexed by its root, so that similar nouns do not find each other.
 * @param form in lower case, without diacritics except in ñ @param written the word as it stands in the text
 */
export function tokensOfWord(form: string, written: string): string[] {
  const wide = rootsOf(form, written).flatMap(({ root, isBare }) => (isBare ? [] : `__w${root}`));
  return [stem(form), ...wide];
}

/**
 * The tokens of words with the same root: `contar` finds `contaba`, `cuento` and `cuenta`. A word whose ending is at
 * most a vowel and an s finds longer endings (`cuenta` finds `contaba`) and, if it is long, its other gender.
 */
export function wideTokens(form: string, written: string): string[] {
  return rootsOf(form, written).flatMap((root) => [`__w${root.root}`, ...bareTokens(root)]);
}

/** The stems of words that consist of a root and a final vowel. */
function bareTokens({ root, isBare }: Root): string[] {
  if (isBare) return /.{6}$|[^aeiou]in$/.test(root) ? [stem(`${root}o`), stem(`${root}a`)] : [];
  const changed = root.replace(/[eo](?=[^aeiou]*$)/, (vowel) => (vowel === 'e' ? 'ie' : 'ue'));
  const spelled = [root, changed, `${root}i`].flatMap((one) => [one, one.replace(/c$/, 'z')]);
  return spelled.flatMap((one) => ['o', 'a', 'e'].map((vowel) => stem(one + vowel)));
}

/** A word without its ending. */
interface Root {
  root: string;
  /** Whether the ending is at most a vowel and an s, as in nouns: `cuento`, `cuenta`. */
  isBare: boolean;
}

/**
 * The roots of a word. There are several if the stemmer gives another root with a missing accent restored or without
 * accents.
 */
function rootsOf(form: string, written: string): Root[] {
  if (functionWords.has(form) || !/^[a-zñ]{2,40}$/.test(form)) return [];
  const irregular = irregularForms.get(form);
  if (irregular !== undefined) return [{ root: irregular, isBare: false }];
  if (form.length < 4) return [];
  const lower = written.length === form.length ? written.toLowerCase() : form;
  const adverb = /(?<=....)mente$/.exec(form);
  const spellings = new Set([lower, form.replace(/cion$/, 'ción')]);
  const ends = new Set(
    Array.from(spellings, (word) => stemmer(word.slice(0, adverb?.index)).length),
  );
  const isAccented = /[áéó]$|í[ao]?s?$/.test(lower);
  return Array.from(ends, (end) => {
    const { root, isBare } = rootOf(form.slice(0, adverb?.index), end);
    return { root, isBare: isBare && !adverb && !isAccented };
  });
}

/** @param end the length of the stemmer's result */
function rootOf(word: string, end: number): Root {
  // The stemmer takes `-ara` in `repara` for the ending of a subjunctive, as in `reparara`.
  const at = /(?:p|cl)ara[ns]?$/.test(word) && word.startsWith('ara', end) ? end + 2 : end;
  const stemmed = word.slice(0, at);
  // The stemmer leaves these endings after short roots, and conditionals without an accent.
  const short = (
    at === word.length ? stemmed.replace(/(?<=..)[aei]r$|(?<=..[^aeiou])e$/, '') : stemmed
  )
    .replace(/(?<=..)[aei]ri$/, '')
    .replace(/(?<=[aeo])(?:y(?:end|eron|[ao])?|id?|[ei]r)$|(?<=..)(?:i?eron|(?<=[^aeiou])i)$/, '');
  const spelled = short.replace(/(?:qu|z?[cz])$/, 'c').replace(/gu$/, 'g');
  const regular = regularRoot(spelled);
  const small = spelled.replace(/(?<=...)c?it$/, '');
  const root =
    regular ??
    small.replace(/(?<=[^aeiou])(?:ie|(?<![gq])ue)(?=[^aeiou]{1,3}$)/, (vowels) =>
      vowels === 'ie' ? 'e' : 'o',
    );
  const isRegular = regular === undefined && small === spelled && !/(?:[gq]u|zc)$/.test(short);
  const isBare = isRegular && /^i?[aeo]?s?$/.test(word.slice(short.length));
  return { root, isBare };
}

/** The root that stands for an irregular one; undefined for a regular one. */
function regularRoot(root: string): string | undefined {
  // Skips the search below for most roots.
  if (!lastLetters.has(root.slice(-3))) return undefined;
  const known = regularEnds.get(`^${root}`);
  if (known !== undefined) return known;
  for (let at = 0; at < root.length - 2; at++) {
    const end = regularEnds.get(root.slice(at));
    if (end !== undefined) return root.slice(0, at) + end;
  }
  return undefined;
}

/**
 * A form that a word shares with its plural and, where the rule is safe, with its other gender: `luces` and `luz`,
 * `profesoras` and `profesor`. It need not be a word and does not depend on accents.
 * @param word in lower case, without diacritics except in ñ
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
