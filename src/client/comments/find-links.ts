type LinkPart = { text: string; isLink: boolean };

/** Longer addresses stay plain text. */
export const maxLinkChars = 2048;
/** More addresses in one text stay plain text. */
export const maxLinks = 100;

/** Ends before invisible characters, and before an apostrophe unless it is within a word. */
const address = /\bhttps?:\/\/(?:[^\s<>"'\p{Cf}]|'(?=[\p{L}\p{N}]))+/giu;
/** Punctuation that ends a sentence rather than an address. */
const trailing = '.,;:!?¡¿…*~»«“”‘’';
const openings: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * Splits a text into links and the text between them, in linear time. Joined, the parts give the text.
 * @param most links are found; later addresses stay plain text
 */
export function findLinks(text: string, most = maxLinks): LinkPart[] {
  const parts: LinkPart[] = [];
  let links = 0;
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    if (links === most) break;
    const link = withoutTrailing(found);
    if (link.length > maxLinkChars || !URL.canParse(link)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isLink: false });
    parts.push({ text: link, isLink: true });
    links++;
    end = index + link.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isLink: false });
  return parts;
}

/**
 * Removes trailing punctuation and closing brackets that were not opened in the address: from
 * '(see https://a.es/b_(c))' the address is 'https://a.es/b_(c)'.
 */
function withoutTrailing(found: string): string {
  const unclosed: Record<string, number> = {};
  let end = 0;
  for (let index = 0; index < found.length; index++) {
    const char = found.charAt(index);
    const opening = openings[char];
    if (opening) {
      if (!unclosed[opening]) continue;
      unclosed[opening]--;
    } else if (trailing.includes(char)) {
      continue;
    } else {
      unclosed[char] = (unclosed[char] ?? 0) + 1;
    }
    end = index + 1;
  }
  return found.slice(0, end);
}
