/**
 * Writes rows as CSV for spreadsheets, with a mark by which they recognize UTF-8. A cell that a spreadsheet would take for a
 * formula begins with an apostrophe.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => {
    const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return `"${harmless.replaceAll('"', '""')}"`;
  };
  return `\ufeff${rows.map((row) => `${row.map(cell).join(';')}\r\n`).join('')}`;
}
