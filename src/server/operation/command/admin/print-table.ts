import type { Print } from '../../../system/operator-error.ts';

/** Control and formatting characters, which could manipulate the operator's terminal. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
const maxCellChars = 60;
const maxMatches = 50;

/** Prints a table with aligned columns, or `none` when it has no rows. */
export function printTable(print: Print, headings: string[], rows: string[][]): void {
  if (rows.length === 0) {
    print('none');
    return;
  }
  const cells = [headings, ...rows.map((row) => row.map(toCell))];
  const widths = headings.map((_, column) =>
    Math.max(...cells.map((row) => Array.from(row[column] ?? '').length)),
  );
  for (const row of cells) {
    print(
      row
        .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - Array.from(cell).length))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** Prints the first matches of a search as a table, and whether there are more. */
export async function printMatches<T>(
  print: Print,
  headings: string[],
  search: (after?: string) => Promise<{ data: T[]; next: string | null }>,
  toRow: (match: T) => string[],
): Promise<void> {
  let { data, next } = await search();
  while (next !== null && data.length <= maxMatches) {
    const page = await search(next);
    data = [...data, ...page.data];
    next = page.next;
  }
  printTable(print, headings, data.slice(0, maxMatches).map(toRow));
  if (data.length > maxMatches) print('… and more: search for them');
}

/** Formats a time in UTC, to the second. */
export function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('T', ' ').slice(0, 19);
}

function toCell(text: string): string {
  const characters = Array.from(text.replace(unprintable, ' '));
  if (characters.length <= maxCellChars) return characters.join('');
  return `${characters.slice(0, maxCellChars - 1).join('')}…`;
}
