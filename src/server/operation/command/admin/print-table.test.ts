import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printMatches, printTable } from './print-table.ts';

test('the first 50 matches are printed, and that there are more', async () => {
  for (const count of [0, 50, 51, 200]) {
    const printed: string[] = [];
    const pageOf = async (after = '0') => {
      const end = Math.min(Number(after) + 25, count);
      const data = Array.from({ length: end - Number(after) }, (_, i) => `n${Number(after) + i}`);
      return { data, next: end < count ? String(end) : null };
    };
    const print = (line: string) => printed.push(line);
    await printMatches(print, ['name'], pageOf, (name) => [name]);
    const shown = Array.from({ length: Math.min(count, 50) }, (_, i) => `n${i}`);
    const more = count > 50 ? ['… and more: search for them'] : [];
    assert.deepEqual(printed, count === 0 ? ['none'] : ['name', ...shown, ...more]);
  }
});

test('a table has aligned columns, and cells of 60 characters at most', () => {
  const printed: string[] = [];
  const rows = [
    ['🦖', 'x'.repeat(60)],
    ['Lucía', 'x'.repeat(61)],
  ];
  printTable((line) => printed.push(line), ['name', 'text'], rows);
  const [fits, cut] = ['x'.repeat(60), `${'x'.repeat(59)}…`];
  assert.deepEqual(printed, ['name   text', `🦖      ${fits}`, `Lucía  ${cut}`]);
});
