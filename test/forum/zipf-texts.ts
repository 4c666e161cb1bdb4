/** Frequent Spanish words, most frequent first. */
const frequent =
  'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos e esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho quienes nada muchos cual poco ella estar estas algunas algo nosotros'.split(
    ' ',
  );
const onsets = 'b c ch d f g j l ll m n ñ p qu r s t v z br cr dr fr gr pl pr tr cl bl'.split(' ');
const vowels = 'a a a e e e i i o o o u á é í ó ú ie ue ia io'.split(' ');
const codas = ['', '', '', '', '', 'n', 's', 'r', 'l', 's'];
/** Flattens the frequencies of the first words, so that the very first is in 68 % of the comments. */
const offset = 1;
/** Exponent of the rank, by which frequencies decrease. */
const exponent = 1.08;

/** Numbers from 0 to below 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // This is the Mulberry32 generator.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Texts that look like a Spanish forum's to a search index. */
export interface ZipfTexts {
  /** Most frequent first. */
  words: string[];
  /** A random word, chosen by frequency. */
  word(): string;
  /** A text of about this many characters. */
  text(characters: number): string;
  random: () => number;
}

/** @param vocabulary number of words; the frequency of each is inverse to its rank */
export function zipfTexts(seed: number, vocabulary: number): ZipfTexts {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const words = new Set(frequent);
  while (words.size < vocabulary) {
    const syllables = 1 + Math.floor(random() + Math.log10(words.size) / 2.7);
    let word = '';
    for (let i = 0; i < syllables; i++) word += pick(onsets) + pick(vowels) + pick(codas);
    words.add(word);
  }
  const list = [...words];
  const sums = new Float64Array(list.length);
  let sum = 0;
  for (let rank = 0; rank < list.length; rank++) {
    sum += (rank + 1 + offset) ** -exponent;
    sums[rank] = sum;
  }
  const word = () => {
    const target = random() * sum;
    let [low, high] = [0, list.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > target) high = middle;
      else low = middle + 1;
    }
    return list[low] as string;
  };
  const text = (characters: number) => {
    let text = word();
    while (text.length < characters) text += ` ${word()}`;
    return text;
  };
  return { words: list, word, text, random };
}
