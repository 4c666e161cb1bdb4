import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayIn } from './chat-days.ts';
import { remainingText } from './progress-texts.ts';

test('the remaining time is said in minutes, and in hours from ninety of them', () => {
  assert.equal(remainingText(20), 'Falta menos de un minuto.');
  assert.equal(remainingText(60), 'Falta un minuto, más o menos.');
  assert.equal(remainingText(89 * 60), 'Faltan unos 89 minutos.');
  assert.equal(remainingText(90 * 60), 'Faltan unas 2 horas.');
});

test('a day that was read with the day first changes its month where the month comes first', () => {
  assert.equal(dayIn('day-month', '2024-03-04T09:05:12'), '2024-03-04');
  assert.equal(dayIn('month-day', '2024-03-04T09:05:12'), '2024-04-03');
});
