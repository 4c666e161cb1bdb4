export type TextPart = { text: string; isLink: boolean };

const address = /\bhttps?:\/\/[^\s<>"']+/gi;
/** What a sentence puts behind an address. */
const trailing = /[.,;:!?¡¿…*_~»«“”‘’]+$/u;
const brackets = { ')': '(', ']': '[', '}': '{' } as const;

/** Cuts a text where addresses begin and end; the parts together are the text again. */
export function findLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const link = withoutTrailing(found);
    if (!URL.canParse(link)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isLink: false });
    parts.push({ text: link, isLink: true });
    end = index + link.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isLink: false });
  return parts;
}

/** Without the sentence's own punctuation: '(see https://a.es/b_(c))' keeps one bracket of two. */
function withoutTrailing(found: string): string {
  let link = found;
  for (;;) {
    const shorter = withoutUnopened(link.replace(trailing, ''));
    if (shorter === link) return link;
    link = shorter;
  }
}

function withoutUnopened(link: string): string {
  const last = link.at(-1) as keyof typeof brackets;
  const opening = brackets[last];
  if (!opening) return link;
  const isOpened = link.split(opening).length >= link.split(last).length;
  return isOpened ? link : link.slice(0, -1);
}
