import { verbForms, verbRoots } from './irregular-verbs.ts';
import { stem } from './stem.ts';

const setOf = (list: string) => new Set(list.trim().split(/\s+/));

/** Words without a meaning of their own. */
const functionWords = setOf(`
  a al algo alguien algun alguna algunas alguno algunos ambos ante antes aquel aquella aquello aqui asi aun aunque bajo
  bien cada casi como con contra cual cuales cualquier cuando cuanta cuantas cuanto cuantos de del desde despues donde
  durante e el ella ellas ello ellos en entonces entre era eran eres es esa esas ese eso esos esta estaba estan estar
  estas este esto estos estoy fue ha habia han has hasta hay he hemos la las le les lo los mas me mi mis mucha
  muchas mucho muchos muy nada ni ningun ninguna ninguno no nos nosotros o os otra otras otro otros para pero poca poco
  por porque pues que quien quienes se sea ser si sin sino sobre solo somos son soy su sus tal tambien tampoco tan tanta
  tanto te ti toda todas todo todos tu tus u un una unas uno unos usted ustedes vos vosotros y ya yo
`);

/** Words of questions. Like function words they need not occur in a text. */
const questionWords = setOf(`
  como cual cuales cuando cuanta cuantas cuanto cuantos donde quien aconseja alternativa busco conoce conoceis conocen gustaria haceis hacer hago hacen merece mejor mejores necesito pena
  podeis podemos podria podriais podrian puede pueden puedo quiero recomendais recomiendan recomienda sabe sabeis saben
  sabes sirve tengo tiene vale ayuda
`);

/** Words that share all but the last vowel with another one, and names; by their `stem`. */
const apart = setOf(`
  banca banco banda bando barca barco barra barrio bata bolo bola bolsa bolso bota bote brazo caña caño cana camara capa capo
  cara caro carra carro carta casa caso cera cero cereza cerezo cinta cinto ciruela colega ciruelo copa copo cuadra cuadro cuba
  cubo cuenta cuento cuerda cuerdo derecha derecho dato data falda foca foco fonda fondo fruta fruto gorra gorro grada
  grado hoja hora jarra jarro libra libro lista listo loma lomo madera madre manga mango mano manta manto manzana manzano
  marca marco media medio mina moda modo mora moro musica musico naranja naranjo nota olivo oliva oro pais pala palo papa pasta
  pasto pata pato pela pelo pera pero pina pino piña piño pisa piso pista pisto plana plano planta plata plato plaza
  plazo pluma plomo polla pollo poza pozo prada prado puerta puerto puesta puesto punta punto rama ramo rata rato raya
  rayo rosa rueda ruedo seta seto sopa suela suelo taco taza tela tema tierra tina tino toro torre torta tubo tuba vaso
  vela velo viña vino zona partido partida parte
  adriana ana angel angela antonia antonio carla carlos carmen clara claro daniel daniela diana elena francisca francisco
  gabriel gabriela jose josefa juan juana julia julio leon lola luca lucas lucia luisa luis manuel manuela marcos maria
  mariana mariano mario marta martin martina pablo paula paulo paz pedro pilar ramon ramona rosalia sara tomas victoria victor
`);

const pronouns = /^(.{2,}(?:[aei]r|(?:a|[iy]e)ndo))(?:se)?(?:me|te|se|nos|l[aeo]s?)$/;
/** Not infinitives with a pronoun. */
const noPronoun = /uer(?:te|me)$|(?:comp|rep|imp|ap)arte$|(?:ch|p)arla$|perla$|ernos$/;

/** Endings of verbs after the roots of `verbRoots`. */
const irregularEnding =
  /^(?:[aei]r(?:i?a(?:s|n|mos|is)?|e(?:mos|is)?)?|i?a(?:s|n|mos|is)?|e(?:mos|is)?|aron|aba(?:s|n|mos|is)?|ando|ad[oa]s?|[aei]d|[iy]endo|id[oa]s?|[iy]?eron|[iy]?e(?:ra|se)(?:s|n|mos|is)?|yo|io|iste|isteis|[aei]mos|[ae]is|[ae][ns]?|i|o|os)$/;
/** Endings of other verbs, and of nouns that are made of verbs, after the shortest roots. */
const endings = [
  /^(.{3,}?)(?:ar(?:i?an|iamos|iais|ias|emos|eis|on|as|a)?|aba(?:s|n|mos|is)?|ases|asen|ast(?:e|eis)|ando|ad[oa]s?|amos|ais|an)$/,
  /^(.{3,}?)(?:er(?:iamos|ian|an|emos)?|ir(?:i?an?|iamos|ias|as|emos|e)?|ieron|ie(?:ra|se)(?:s|n|mos|is)?|ist(?:e|eis)|iendo|id[oa]s?|imos|emos|en)$/,
  /^(.{2,}?[aeou])y(?:o|endo|eron|en?|an?|era(?:s|n)?)$/,
  /^(.{4,}?)(?:arias?|are|[ae]d|i[oa]s?|ian|iamos|anzas?|ajes?|ezas?|os[oa]s?|[ai]bles?)$/,
  /^(.{3,}?)(?:acion|aciones|[aei]dor(?:a|es|as)?|[ai]mientos?)$/,
];
const plain = /^[a-zñ]{2,40}$/;

/** Whether a text may lack the word although it is searched for. */
export function isOptional(form: string): boolean {
  return functionWords.has(form) || questionWords.has(form);
}

export function isQuestionWord(form: string): boolean {
  return questionWords.has(form);
}

/** Whether a word is known to be spelled right. */
export function isKnown(form: string): boolean {
  return isOptional(form) || apart.has(stem(form));
}

const tokens = new Map<string, string | undefined>();
const maxTokens = 50_000;

/**
 * A token that a word shares with other forms of its verb, with its diminutive and with some words that are made of it:
 * `trajo`, `traer`; `panadero`, `panadería`. Follows the steps of Snowball's Spanish stemmer, but does not depend on
 * accents, which people often omit.
 * @param form lower case, without marks except ñ @returns undefined when the word has no other forms
 */
export function wideToken(form: string): string | undefined {
  if (tokens.has(form)) return tokens.get(form);
  // Most words of a text are frequent ones.
  if (tokens.size === maxTokens) tokens.clear();
  const root = wideRoot(form);
  const token = root && `__w${root}`;
  tokens.set(form, token);
  return token;
}

export function isWide(token: string): boolean {
  return token.startsWith('__w');
}

function wideRoot(form: string): string | undefined {
  if (functionWords.has(form) || !plain.test(form) || apart.has(stem(form))) return undefined;
  const adjective = form.replace(/(?<=.{4})mente$/, '');
  const [, verb = adjective] = noPronoun.test(form) ? [] : (pronouns.exec(form) ?? []);
  const known = verbForms.get(verb) ?? irregularRoot(verb);
  return known ?? (verb.length < 4 ? undefined : regularRoot(verb));
}

function irregularRoot(form: string): string | undefined {
  for (let end = form.length - 1; end > 0; end--) {
    const written = form.slice(0, end);
    const root = verbRoots.get(written);
    const ending = form.slice(end);
    // `sala` is no form of `salir`.
    const isShort = end < 4 && root === written && !/^[eiy]/.test(ending);
    if (root !== undefined && !isShort && irregularEnding.test(ending)) return root;
  }
  return undefined;
}

function regularRoot(form: string): string {
  const roots = endings.flatMap((ending) => ending.exec(form)?.[1] ?? []);
  const [root = nounRoot(form)] = roots.sort((one, other) => one.length - other.length);
  const written = root
    .replace(/qu$/, 'c')
    .replace(/gu$/, 'g')
    .replace(/z?[cz]$/, 'c')
    .replace(/(?<=...)it$/, '')
    .replace(/(?<=....)i$/, '');
  return verbRoots.get(written) ?? written;
}

function nounRoot(form: string): string {
  const singular = stem(form);
  const root = singular.replace(/(?<=...)[aeo]$/, '');
  // `sala` is no form of `salir`.
  return root.length < 4 && verbRoots.has(root) ? singular : root;
}
