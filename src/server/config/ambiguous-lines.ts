/** Ways of writing a setting that programs read differently, each with advice. */
const ambiguities: [RegExp, string][] = [
  [/^export\s/, 'begins with export, which systemd and Docker refuse: leave it out'],
  [/^[^=]*$/, 'has no =, and is ignored'],
  [/^(?![A-Za-z_]\w*\s*=)/, 'does not begin with a name of letters, digits and underscores'],
  [/^\w+(?:\s+=|=\s)/, 'has a space beside =, which Docker refuses or keeps: leave it out'],
  [/^\w+=(?:"[^"]*$|'[^']*$|`[^`]*$)/, 'has a quote that is not closed'],
  [/^\w+=`/, 'is in backticks, which only this program removes: use single quotes'],
  [
    /^\w+=(?:"[^"]*"|'[^']*').*\S/,
    'has text behind the closing quote, a comment for some: put comments on lines of their own',
  ],
  [
    /^\w+=[^"'#][^#]*#|^\w+=#/,
    'has a #, which begins a comment for some: put the value in single quotes, or the comment on a line of its own',
  ],
  [
    /^\w+=[^'].*\\|^\w+=\\/,
    'has a backslash, which systemd removes: put the value in single quotes',
  ],
  [
    /^\w+=[^'].*\$|^\w+=\$/,
    'has a $, which Docker replaces by a variable: put the value in single quotes',
  ],
  [/^\w+=[^"'].*["']/, 'has a quote within the value, which Docker may remove: encode or avoid it'],
];

/**
 * Finds the lines of a settings file that systemd's `EnvironmentFile`, Docker's `env_file` and this
 * program read differently, and names that are set twice.
 * @returns a sentence for each, without values, which may be secret
 */
export function findAmbiguousLines(text: string): string[] {
  const found: string[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const name = (line.replace(/^export\s+/, '').split('=', 1)[0] ?? '').trim();
    const number = index + 1;
    const subject = /^\w+$/.test(name) ? `line ${number} (${name})` : `line ${number}`;
    const reason = ambiguities.find(([pattern]) => pattern.test(line))?.[1];
    if (reason) found.push(`${subject} ${reason}`);
    const earlier = lineOf.get(name);
    if (earlier) found.push(`${subject} sets again what line ${earlier} sets: remove one`);
    lineOf.set(name, number);
  }
  return found;
}
