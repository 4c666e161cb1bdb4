import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printMatches } from './print-table.ts';

for (const [count, more] of [
  [50, []],
  [51, ['… and more: search for them']],
  [200, ['… and more: search for them']],
] as const) {
  test(`prints the first 50 of ${count} matches${more.length > 0 ? ', and that there are more' : ''}`, async () => {
    const printed: string[] = [];
    const pageOf = async (after = '0') => {
      const end = Math.min(Number(after) + 25, count);
      const data = Array.from({ length: end - Number(after) }, (_, i) => `n${Number(after) + i}`);
      return { data, next: end < count ? String(end) : null };
    };
    await printMatches(
      (line) => printed.push(line),
      ['name'],
      pageOf,
      (name) => [name],
    );
    assert.deepEqual(printed, ['name', ...Array.from({ length: 50 }, (_, i) => `n${i}`), ...more]);
  });
}
