/** A word of a text as it is indexed. */
export interface Word {
  /** Its normal form: lower case, without marks, singular. Letters, digits and characters beyond ASCII. */
  token: string;
  /** First UTF-16 code unit in the text, and the one after the last. */
  start: number;
  end: number;
}

/** The words of a text, in order. Takes linear time. */
export function findWords(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({
    token: match[0].normalize('NFC').toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The distinct tokens of a text. */
export function tokensOf(text: string): string[] {
  return [...new Set(findWords(text).map(({ token }) => token))];
}
