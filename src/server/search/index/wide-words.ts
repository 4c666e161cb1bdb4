import { stemmer } from '@orama/stemmers/spanish';
import { irregularForms, regularRoot } from './irregular-verbs.ts';
import { stem } from './stem.ts';

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

/** Tokens of words that have more than a final vowel: of `contaba` for `contar` and for `cuenta`. */
export function rootTokens(form: string, written: string): string[] {
  return rootsOf(form, written).map(({ root }) => `__w${root}`);
}

/** Tokens of words that have no more: of `cuento` and `cuenta` for `contar`, but of long nouns in both genders. */
export function bareTokens(form: string, written: string): string[] {
  return rootsOf(form, written).flatMap(({ root, isBare }) => {
    if (isBare) return /.{6}$|[^aeiou]in$/.test(root) ? [stem(`${root}o`), stem(`${root}a`)] : [];
    const changed = root.replace(/[eo](?=[^aeiou]*$)/, (vowel) => (vowel === 'e' ? 'ie' : 'ue'));
    const spelled = [root, changed, `${root}i`].flatMap((one) => [one, one.replace(/c$/, 'z')]);
    return spelled.flatMap((one) => ['o', 'a', 'e'].map((vowel) => stem(one + vowel)));
  });
}
