import { visibleName } from '../../../shared/clean-text.ts';
import { limits } from '../../../shared/limits.ts';
import { isPlainAddress } from '../../../shared/plain-address.ts';

export interface Invitee {
  email: string;
  /** Empty if none was found. */
  name: string;
}

/** The addresses found in a pasted text, and the lines without one. */
export interface ParsedInvitees {
  /** In their order, each address once, whatever its case. */
  invitees: Invitee[];
  /** Number of addresses that were there before. */
  repeated: number;
  /** Lines that are not empty and have no address. */
  strange: string[];
}

/** Text between separators. Each match is tested for an address, which takes time in proportion to the line. */
const words = /[^\s<>()[\]",;:]+/g;

const addressIn = ([word]: RegExpExecArray) =>
  word.length > limits.emailChars ? '' : word.replace(/^['*]+/, '').replace(/[.'*_]+$/, '');

const isAddress = (match: RegExpExecArray) => isPlainAddress(addressIn(match));

/**
 * Finds addresses, with or without names, in what people paste: cells of a spreadsheet, the recipients of a mail, a list.
 * In a line with one address the rest is the name; in one with several, each has the name before it.
 */
export function parseInvitees(text: string): ParsedInvitees {
  const found = new Map<string, Invitee>();
  const strange: string[] = [];
  let count = 0;
  for (const line of text.split(/[\r\n]+/)) {
    const matches = [...line.matchAll(words)].filter(isAddress);
    if (matches.length === 0 && line.trim() !== '') strange.push(line.trim());
    let end = 0;
    for (const match of matches) {
      const start = match.index;
      const before = line.slice(end, start);
      end = start + match[0].length;
      const name = matches.length === 1 ? before + line.slice(end) : before;
      const email = addressIn(match);
      const key = email.toLowerCase();
      count++;
      const earlier = found.get(key);
      if (earlier) earlier.name ||= nameIn(name);
      else found.set(key, { email, name: nameIn(name) });
    }
  }
  return { invitees: [...found.values()], repeated: count - found.size, strange };
}

/** Returns a name without separators, quotes, words before a colon such as `Para:`, and the number of a list. */
function nameIn(text: string): string {
  const rest = text
    .replace(/^.*:/, '')
    .replace(/["<>()[\],;\t]+/g, ' ')
    .replace(/^[\s*·•\d.)-]+(?=\s)/, '');
  return [...visibleName(rest).trim()].slice(0, limits.userNameChars).join('').trim();
}
