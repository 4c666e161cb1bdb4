/** Ends of bare domains, such as `tienda.com`. A list, since any two words with a point between them look like one. */
const endings = new Set(
  'com net org info biz io me co app dev xyz top site online shop store club vip live link click win bet gg ly tv to cc ws es cat eus gal eu pt fr it de uk ru cn us mx ar cl pe uy ve ec bo py cr pa do gt hn sv ni cu pr'.split(
    ' ',
  ),
);

const withScheme = /https?:\/\/(?:[^\s<>"']|'(?=[\p{L}\p{N}]))+/giu;
const emails = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const withPoints =
  /(?<![\p{L}\p{N}@/._-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:\/(?:[^\s<>"']|'(?=[\p{L}\p{N}]))*)?/gu;
/** International telephone numbers, and those of nine digits. */
const phones =
  /(?<![\p{L}\p{N}])(?:(?:\+|00)\d(?:[ .()-]{0,2}\d){7,14}|[6-9](?:[ .-]?\d){8})(?![\p{L}\p{N}])/gu;

/** Punctuation behind an address is not of it (as in client/comments/find-links.ts). */
const punctuation = '.,;:!?¡¿…*~»«“”‘’)]}';

/** The web addresses, e-mail addresses and telephone numbers in a text, by which a post leads people elsewhere. */
export function findAddresses(text: string): string[] {
  const found: string[] = [];
  // Full-width letters and invisible characters hide an address from a filter, not from people.
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const take = (rest: string, pattern: RegExp, isAddress = (_: string) => true) =>
    rest.replace(pattern, (one) => {
      if (!isAddress(one)) return one;
      found.push(withoutPunctuation(one));
      return ' ';
    });
  take(take(take(take(plain, withScheme), emails), withPoints, isDomain), phones);
  return found;
}

function isDomain(text: string): boolean {
  const [host = ''] = text.toLowerCase().split('/');
  return host.startsWith('www.') || endings.has(host.split('.').at(-1) ?? '');
}

function withoutPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && punctuation.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
