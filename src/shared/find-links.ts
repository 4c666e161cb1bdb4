type LinkPart = { text: string; isLink: boolean };

/** Longer URLs stay plain text. */
export const maxLinkChars = 2048;
/** Further URLs in one text stay plain text. */
export const maxLinks = 100;

/**
 * Letters, marks, numbers and punctuation of any script, and the symbols that RFC 3986 allows. Stops before quotation
 * marks, except an apostrophe within a word, before the end of a link or a tag in Markdown and BBCode, and before a
 * character that is shown as an emoji.
 */
const address =
  /(?<![a-z\d])https?:\/\/(?:['’](?=[\p{L}\p{N}])|(?!["'\p{Pi}\p{Pf}]|\]\(|\[\/|.\ufe0f)[\p{L}\p{M}\p{N}\p{P}$+=~])+/giu;
/** A user name before the host, which disguises where a link leads: `https://bank.example@host.example`. */
const credentials = /^https?:\/\/[^/?#]*@/i;
/** Other punctuation at the end belongs to the sentence, not to the URL. */
const lastChar = /[\p{L}\p{M}\p{N}_#$%&+\-/=@]/u;
const openings: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * Splits a text into links and the text between them, in linear time. The parts joined are the text.
 * @param most maximum number of links; later URLs stay plain text
 */
export function findLinks(text: string, most = maxLinks): LinkPart[] {
  const parts: LinkPart[] = [];
  let links = 0;
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    if (links === most) break;
    const link = withoutTrailing(found, text.charAt(index - 1) === '_');
    if (link.length > maxLinkChars || credentials.test(link) || !URL.canParse(link)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isLink: false });
    parts.push({ text: link, isLink: true });
    links++;
    end = index + link.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isLink: false });
  return parts;
}

/**
 * Removes trailing punctuation, and everything from a closing bracket that was not opened in the URL: in '(see
 * https://a.es/b_(c))' the URL is 'https://a.es/b_(c)'.
 * @param isEmphasized whether an underscore before the URL is closed after it
 */
function withoutTrailing(found: string, isEmphasized: boolean): string {
  const unclosed: Record<string, number> = {};
  let length = 0;
  let end = 0;
  for (const char of found) {
    length += char.length;
    const opening = openings[char];
    if (opening) {
      if (!unclosed[opening]) break;
      unclosed[opening]--;
    } else {
      unclosed[char] = (unclosed[char] ?? 0) + 1;
      if (!lastChar.test(char) || (isEmphasized && char === '_')) continue;
    }
    end = length;
  }
  return found.slice(0, end);
}
