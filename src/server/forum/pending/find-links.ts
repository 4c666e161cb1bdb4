import { findLinks } from '../../../shared/find-links.ts';

/**
 * Ends of bare domains, such as `tienda.com`. A list, because any two words joined by a full stop look like a domain.
 */
const endings = new Set(
  'com net org info biz io me co app dev xyz top site online shop store club vip live link click win bet gg ly tv to cc ws es cat eus gal eu pt fr it de uk ru cn us mx ar cl pe uy ve ec bo py cr pa do gt hn sv ni cu pr'.split(
    ' ',
  ),
);

const emails = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const withPoints = /(?<![\p{L}\p{N}@/._-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:\/[^\s<>"]*)?/gu;
/** International telephone numbers, and Spanish ones of nine digits. */
const phones =
  /(?<![\p{L}\p{N}])(?:(?:\+|00)\d(?:[ .()-]{0,2}\d){7,14}|[6-9](?:[ .-]?\d){8})(?![\p{L}\p{N}])/gu;

/** Web addresses, e-mail addresses and telephone numbers in a text, by which a post can lead readers elsewhere. */
export function findContactDetails(text: string): string[] {
  const found: string[] = [];
  const take = (rest: string, pattern: RegExp) =>
    rest.replace(pattern, (one) => {
      found.push(one);
      return ' ';
    });
  const takeLinks = (rest: string, start = 0) => {
    const parts = findLinks(rest, Number.POSITIVE_INFINITY);
    for (const one of parts) if (one.isLink) found.push(one.text.slice(start));
    return parts.map((one) => (one.isLink ? ' ' : one.text)).join('');
  };
  // Full-width letters and invisible characters hide an address from a filter, but not from readers.
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const bare = take(takeLinks(plain), emails).replace(withPoints, (one) =>
    isDomain(one) ? ` ${scheme}${one}` : one,
  );
  take(takeLinks(bare, scheme.length), phones);
  return found;
}

const scheme = 'https://';

function isDomain(text: string): boolean {
  const [host = ''] = text.toLowerCase().split('/');
  return host.startsWith('www.') || endings.has(host.split('.').at(-1) ?? '');
}
