/** Ends of bare domains, such as `tienda.com`. A list, since any two words with a point between them look like one. */
const endings =
  'com|net|org|info|biz|io|me|co|app|dev|xyz|top|site|online|shop|store|club|vip|live|link|click|win|bet|gg|ly|tv|to|cc|ws|es|cat|eus|gal|eu|pt|fr|it|de|uk|ru|cn|us|mx|ar|cl|pe|uy|ve|ec|bo|py|cr|pa|do|gt|hn|sv|ni|cu|pr';

const patterns = [
  // With a scheme, without the punctuation that follows it (as in client/comments/find-links.ts).
  /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?¡¿…*_~»«“”‘’)\]}]/giu,
  // Without one: from `www.` or a domain to the end of its path.
  new RegExp(
    String.raw`(?<![\p{L}\p{N}@/._-])(?:www\.[\p{L}\p{N}.-]*[\p{L}\p{N}]|[\p{L}\p{N}][\p{L}\p{N}.-]*\.(?:${endings}))(?![\p{L}\p{N}-])(?:\/[^\s<>"']*[^\s<>"'.,;:!?¡¿…*_~»«“”‘’)\]}])?`,
    'giu',
  ),
  // E-mail addresses.
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu,
  // Telephone numbers: international ones, and those of nine digits.
  /(?<![\p{L}\p{N}])(?:(?:\+|00)\d(?:[ .()-]{0,2}\d){7,14}|[6-9](?:[ .-]?\d){8})(?![\p{L}\p{N}])/gu,
];

/** The web addresses, e-mail addresses and telephone numbers in a text, by which a post leads people elsewhere. */
export function findAddresses(text: string): string[] {
  let rest = text;
  return patterns.flatMap((pattern) => {
    const found = rest.match(pattern) ?? [];
    rest = rest.replace(pattern, ' ');
    return found;
  });
}
