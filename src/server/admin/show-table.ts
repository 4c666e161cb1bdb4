/** Control and formatting characters could rewrite the operator's screen. */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
const longestCell = 60;

/** Says a table, its columns as wide as they need to be; without rows, that there are none. */
export function showTable(say: (line: string) => void, heads: string[], rows: string[][]): void {
  if (rows.length === 0) {
    say('none');
    return;
  }
  const cells = [heads, ...rows.map((row) => row.map(toCell))];
  const widths = heads.map((_, column) =>
    Math.max(...cells.map((row) => Array.from(row[column] ?? '').length)),
  );
  for (const row of cells) {
    say(
      row
        .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - Array.from(cell).length))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** UTC, to the second. */
export function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('T', ' ').slice(0, 19);
}

function toCell(text: string): string {
  const characters = Array.from(text.replace(unprintable, ' '));
  if (characters.length <= longestCell) return characters.join('');
  return `${characters.slice(0, longestCell - 1).join('')}…`;
}
