import fc from 'fast-check';

/** Generates values of the arbitraries, each as often as its weight says. */
export const weighted = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Generates one of the words of a text. */
export const wordOf = (words: string): fc.Arbitrary<string> => fc.constantFrom(...words.split(' '));
