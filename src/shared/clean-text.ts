const otherLineBreaks = /\r\n|[\r\v\f\u2028\u2029]/g;
/** Control characters other than newline, tab and NUL, which no text may contain. */
const controls = /[^\P{Cc}\n\t\0]/gu;

/** A text as it is stored, before it is trimmed and in NFC: each line break a newline, without control characters. */
export function cleanText(raw: string): string {
  return raw.replace(otherLineBreaks, '\n').replace(controls, '');
}

/** A text of one line: blanks in place of its line breaks. */
export function oneLine(raw: string): string {
  return cleanText(raw).replaceAll('\n', ' ');
}

/** A key, such as an e-mail address, without the invisible characters that may be pasted along: as NFKC_Casefold has it. */
export function visibleKey(raw: string): string {
  return oneLine(raw).replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}

/** Invisible characters; the group is an emoji with those that it consists of. */
const invisible =
  /(\p{Extended_Pictographic}[\ufe0e\ufe0f\p{Emoji_Modifier}]?(?:\u200d(?=\p{Extended_Pictographic}))?|[\d#*]\ufe0f(?=\u20e3))|\p{Default_Ignorable_Code_Point}/gu;

/** A name without invisible characters, in which names that look the same could differ, and with single blanks. */
export function visibleName(raw: string): string {
  return oneLine(raw).replace(invisible, '$1').replace(/\s+/g, ' ');
}
