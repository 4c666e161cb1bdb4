const otherLineBreaks = /\r\n|[\r\v\f\u2028\u2029]/g;
/** Control characters to remove. NUL stays, so that a text with it is rejected. */
const controls = /[^\P{Cc}\n\t\0]/gu;

/**
 * Replaces each line break with a newline and removes control characters. Texts are then trimmed and stored in NFC.
 */
export function cleanText(raw: string): string {
  return raw.replace(otherLineBreaks, '\n').replace(controls, '');
}

/**
 * A bullet of Symbol or Wingdings at the beginning of a line, with the blanks after it, as texts from PDF and Word have
 * it. Phones lack these fonts and show a box instead.
 */
const symbolBullets = /^([^\S\n\r\u2028\u2029]*)[\uf020-\uf0ff][^\S\n\r\u2028\u2029]*/gm;

/** A clean text of several lines, in which `• ` replaces each bullet of a symbol font. */
export function bulletedText(raw: string): string {
  return cleanText(raw).replace(symbolBullets, '$1• ');
}

/** A single-line text, with line breaks replaced by spaces. */
export function oneLine(raw: string): string {
  return cleanText(raw).replaceAll('\n', ' ');
}

/** A key, such as an e-mail address, without invisible characters that may be pasted with it, as in NFKC_Casefold. */
export function visibleKey(raw: string): string {
  return oneLine(raw).replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}

/** Invisible characters. The group is an emoji with the invisible characters that belong to it. */
const invisible =
  /(\p{Extended_Pictographic}[\ufe0e\ufe0f\p{Emoji_Modifier}]?(?:\u200d(?=\p{Extended_Pictographic}))?|[\d#*]\ufe0f(?=\u20e3))|\p{Default_Ignorable_Code_Point}/gu;

/** A name with single spaces and without invisible characters, by which names that look the same could differ. */
export function visibleName(raw: string): string {
  return oneLine(raw).replace(invisible, '$1').replace(/\s+/g, ' ');
}
