import { limits } from '../../shared/limits.ts';

export type TextPart = { text: string; isLink: boolean };

const address = /\bhttps?:\/\/[^\s<>"']+/gi;
/** Punctuation that a sentence puts after an address. */
const trailing = '.,;:!?¡¿…*_~»«“”‘’';
const openings: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Cuts a text where links begin and end; the parts together are the text again. Takes linear time. */
export function findLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let links = 0;
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    if (links === limits.linksPerText) break;
    const link = withoutTrailing(found);
    if (link.length > limits.linkChars || !URL.canParse(link)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isLink: false });
    parts.push({ text: link, isLink: true });
    links++;
    end = index + link.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isLink: false });
  return parts;
}

/** Without the sentence's own punctuation: '(see https://a.es/b_(c))' keeps one bracket of two. */
function withoutTrailing(found: string): string {
  const counts = new Map<string, number>();
  const countOf = (char: string) => counts.get(char) ?? 0;
  for (const char of '()[]{}') counts.set(char, 0);
  for (const char of found) if (counts.has(char)) counts.set(char, countOf(char) + 1);
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    const opening = openings[last];
    if (opening && countOf(opening) < countOf(last)) counts.set(last, countOf(last) - 1);
    else if (!trailing.includes(last)) break;
  }
  return found.slice(0, end);
}
