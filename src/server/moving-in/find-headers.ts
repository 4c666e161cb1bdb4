import { hash } from 'node:crypto';
import { limits } from '../../shared/limits.ts';
import { numberText } from '../../shared/number-texts.ts';
import { type DateOrder, parseHeader, wallMs } from './headers.ts';
import { isEncryptionNotice, isNotice } from './notices.ts';
import { withoutMarks } from './read-body.ts';
import type { Export } from './read-export.ts';
import { UnreadableExport } from './unreadable-export.ts';

const mostHeaders = 500_000;
/** People in one export. Groups have a thousand at a time. */
const mostPeople = limits.importedPeople;

/** A line that looks like a header. */
export interface Found {
  /** Time of the message in each order of day and month, as `wallMs` returns it. */
  ms: Record<DateOrder, number | undefined>;
  /** The same as in `Header`. */
  person: string;
  /** Number of the line, from 1. */
  line: number;
  /** Whether the same line occurred before, as in a quotation. */
  isRepeated: boolean;
  isNotice: boolean;
  isEncryptionNotice: boolean;
}

/**
 * Finds the lines that have the form of most headers in the file.
 * @param latestMs no message is later
 * @returns that form, undefined without any header, and its lines
 * @throws UnreadableExport for more than any group has
 */
export async function findHeaders(
  source: Export,
  latestMs: number,
): Promise<{ form: string | undefined; found: Found[] }> {
  const forms = new Map<string, Found[]>();
  const seen = new Set<string>();
  const people = new Map<string, string>();
  let line = 0;
  let count = 0;
  for await (const text of source.lines()) {
    line++;
    const header = parseHeader(text);
    if (!header) continue;
    const plain = withoutMarks(header.body);
    // Copied, because a part of a text keeps all of it in memory.
    const person = people.get(header.person) ?? Buffer.from(header.person).toString();
    people.set(person, person);
    const key = hash('sha256', text, 'base64');
    const found = forms.get(header.form) ?? [];
    forms.set(header.form, found);
    found.push({
      ms: {
        'day-month': wallMs(header, 'day-month', latestMs),
        'month-day': wallMs(header, 'month-day', latestMs),
      },
      person,
      line,
      isRepeated: seen.has(key),
      isNotice: isNotice(plain),
      isEncryptionNotice: isEncryptionNotice(plain),
    });
    seen.add(key);
    if (++count <= mostHeaders && people.size <= mostPeople) continue;
    throw new UnreadableExport(
      `El chat tiene más de ${numberText(mostHeaders)} mensajes o de ${numberText(mostPeople)} personas, y más no caben.`,
    );
  }
  const [form, found = []] = [...forms].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  return { form, found };
}

/** Names of the group, as which iOS signs notices: they signed nothing else, and the notice about encryption. */
export function findGroupNames(found: Found[]): Set<string> {
  const names = new Set(found.flatMap((line) => (line.isEncryptionNotice ? [line.person] : [])));
  for (const { person, isNotice } of found) if (!isNotice) names.delete(person);
  return names;
}
