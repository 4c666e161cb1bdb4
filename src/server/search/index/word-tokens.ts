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

/** Words of questions. Like function words they need not occur in a text. */
const questionWords = setOf(`
  como cual cuales cuando cuanta cuantas cuanto cuantos donde quien aconseja alternativa busco conoce conoceis conocen
  gustaria haceis hacer hago hacen merece mejor mejores necesito pena podeis podemos podria podriais podrian puede pueden
  puedo quiero recomendais recomiendan recomienda sabe sabeis saben sabes sirve tengo tiene vale ayuda
`);

export function isQuestionWord(form: string): boolean {
  return questionWords.has(form);
}

/** Whether a text may lack the word although it is searched for. */
export function isOptional(form: string): boolean {
  return functionWords.has(form) || questionWords.has(form);
}

/** The last three letters of irregular roots. */
const lastLetters = new Set(regularEnds.keys().map((end) => end.slice(-3)));

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
 * The tokens by which a word is found. The first is its own; it shares the others with other forms of its verb, with its
 * diminutive and with some words that are made of it, as `trajo` and `traer`. It has no others with no more than a final
 * vowel, so that no noun is found by another.
 * @param form lower case, without marks except ñ @param written the same as it is written
 */
export function tokensOfWord(form: string, written: string): string[] {
  const wide = rootsOf(form, written).flatMap(({ root, isBare }) => (isBare ? [] : `__w${root}`));
  return [stem(form), ...wide];
}

/**
 * Tokens of the words of the same root: of `contaba`, `cuento` and `cuenta` for `contar`. Of a word with no more than a
 * final vowel, only those of words with more: of `contaba` for `cuenta`; and of a long noun in its other gender.
 */
export function wideTokens(form: string, written: string): string[] {
  return rootsOf(form, written).flatMap((root) => [`__w${root.root}`, ...bareTokens(root)]);
}

/** Tokens of the words of a root with no more than a final vowel. */
function bareTokens({ root, isBare }: Root): string[] {
  if (isBare) return /.{6}$|[^aeiou]in$/.test(root) ? [stem(`${root}o`), stem(`${root}a`)] : [];
  const changed = root.replace(/[eo](?=[^aeiou]*$)/, (vowel) => (vowel === 'e' ? 'ie' : 'ue'));
  const spelled = [root, changed, `${root}i`].flatMap((one) => [one, one.replace(/c$/, 'z')]);
  return spelled.flatMap((one) => ['o', 'a', 'e'].map((vowel) => stem(one + vowel)));
}

/** A word without its ending. */
interface Root {
  root: string;
  /** Whether the ending is a vowel at most, and an s, which nouns have too: `cuento`, `cuenta`. */
  isBare: boolean;
}

/** The roots of a word, several where the stemmer gives others without accents, which people omit. */
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

/** @param end where the stemmer ends the word */
function rootOf(word: string, end: number): Root {
  // `repara` is no `reparara`.
  const at = /(?:p|cl)ara[ns]?$/.test(word) && word.startsWith('ara', end) ? end + 2 : end;
  const stemmed = word.slice(0, at);
  // The stemmer leaves these after short roots, and conditionals without accent.
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
  // Most roots end otherwise.
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
