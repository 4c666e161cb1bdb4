import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

test('texts take their figures from the limits, so that a changed limit changes them', () => {
  const src = path.join(import.meta.dirname, '..');
  const units = 'días|horas|minutos|segundos|veces|caracteres|canales|millones|llaves|subidas';
  const figure = new RegExp(`[0-9]\\s(?:${units})(?![a-záéíóúñ])`);
  const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line);
  const found = globSync('{client,server,shared}/**/*.{ts,tsx}', { cwd: src })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const lines = readFileSync(path.join(src, file), 'utf8').split('\n');
      return lines.filter((line) => figure.test(line) && !isComment(line));
    });
  assert.deepEqual(found, []);
});
