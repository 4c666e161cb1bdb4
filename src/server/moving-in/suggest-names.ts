import { visibleName } from '../../shared/clean-text.ts';
import { limits } from '../../shared/limits.ts';
import { wholeCharacters } from '../../shared/whole-characters.ts';
import { FieldParser } from '../http/field-parser.ts';

/** The digits of a text, of any script. */
export const digitsOf = (text: string) => text.replace(/\P{Nd}/gu, '');

/** Whether a name has as many digits as a telephone number, which is never shown. */
export const isTelephone = (name: string) => digitsOf(name).length >= 7;

/** Code points of a name that leave room for the highest number. */
const shortChars = limits.userNameChars - ` ${limits.importedPeople}`.length;

/**
 * Suggests a name for each person of an export, no two alike: without the `~` of people who are no contacts, cut where it
 * is too long, and `Persona 1` for a telephone number or a name that no account may have.
 */
export function suggestNames(sources: string[]): string[] {
  const taken = new Set(sources);
  const numbers = new Map<string, number>();
  function numbered(name: string, first: number): string {
    const short = wholeCharacters(name, shortChars).trimEnd();
    for (let number = numbers.get(short) ?? first; ; number++) {
      const free = `${short} ${number}`;
      if (taken.has(free)) continue;
      taken.add(free);
      numbers.set(short, number + 1);
      return free;
    }
  }
  return sources.map((source) => {
    const name = fittingName(source);
    if (name === '') return numbered('Persona', 1);
    if (name === source) return name;
    if (taken.has(name)) return numbered(name, 2);
    taken.add(name);
    return name;
  });
}

/** @returns '' for a telephone number or a name that no account may have */
function fittingName(source: string): string {
  if (isTelephone(source)) return '';
  const visible = visibleName(source.replace(/^~\s*/, ''));
  const fields = new FieldParser();
  const cut = wholeCharacters(visible, limits.userNameChars);
  const name = fields.text('name', cut, limits.userNameChars);
  try {
    fields.done();
    return name;
  } catch {
    return '';
  }
}
