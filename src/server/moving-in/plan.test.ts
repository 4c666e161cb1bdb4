import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportOf } from '../../../test/moving-in/export-of.ts';
import { limits } from '../../shared/limits.ts';
import type { Plan } from '../../shared/moving-in.ts';
import { ApiError } from '../http/api-error.ts';
import { applyPlan, requireDecisions } from './apply-plan.ts';
import { openChat } from './parse-chat.ts';
import { checkPlan, draftPlan, readPlan } from './plan.ts';
import { summarizeChat } from './summarize-chat.ts';

const source = exportOf(
  [
    '14/3/24, 9:05 - Ana: antes',
    '30/3/24, 21:05 - Ana: uno',
    '31/3/24, 2:30 - Ana Gil: dos',
    '31/3/24, 3:10 - +34 600 12 34 56: tres',
    '1/4/24, 9:05 - Luis: cuatro',
  ].join('\n'),
);
const plan: Plan = {
  channel: ' Vecinos ',
  zone: 'europe/madrid',
  dates: 'day-month',
  firstDay: '2024-03-30',
  people: [
    { source: 'Ana', name: 'Ana' },
    { source: 'Ana Gil', name: 'Ana' },
    { source: '+34 600 12 34 56', name: 'Persona  1' },
    { source: 'Luis', name: null },
  ],
};

const openSource = () => openChat(source, Date.UTC(2026, 0));

test('a plan chooses the first day, joins, renames and leaves out people, and tells hours by its zone', async () => {
  const chat = await openSource();
  const comments = await Array.fromAsync(applyPlan(chat.read(), checkPlan(plan)));
  const lines = comments.map(({ atMs, source: from, name, text }) => [
    new Date(atMs).toISOString(),
    from,
    name,
    text,
  ]);
  assert.deepEqual(lines, [
    ['2024-03-30T20:05:00.000Z', 'Ana', 'Ana', 'uno'],
    // No clock showed 2:30 in that night, and no comment is earlier than the one before.
    ['2024-03-31T01:30:00.000Z', 'Ana Gil', 'Ana', 'dos'],
    ['2024-03-31T01:30:00.000Z', '+34 600 12 34 56', 'Persona 1', 'tres'],
  ]);
});

test('a mention by a telephone number gets the name of the plan, and never stays', async () => {
  const people = [
    { source: 'Ana', name: 'Ana' },
    { source: '+34 600 33 34 44', name: 'Persona 1' },
    { source: '+34 600 55 56 66', name: null },
  ];
  const written = async (text: string) => {
    const message = { at: '2024-04-01T09:05:00', person: 'Ana', part: 1, isCut: false };
    const items = [{ ...message, text, isEdited: false }];
    const [comment] = await Array.fromAsync(applyPlan(items, { ...plan, zone: 'UTC', people }));
    return comment?.text;
  };
  const text =
    '@34600333444 ¿vienes? Con @34600555666, @34600777888 y @+34 600 33 34 44. 34600333444, ana@34600333.es';
  assert.equal(
    await written(text),
    '@Persona 1 ¿vienes? Con @alguien, @alguien y @Persona 1. 34600333444, ana@34600333.es',
  );
  assert.equal(
    await written(
      '@+1 (555) 123-4567 y @+54 9 11 1234‑5678, @600/11.22–33, @~\u202f+34 600 33 34 44, @+٣٤ ٦٠٠ ١١٢٢٣٣, @123456789012345678',
    ),
    '@alguien y @alguien, @alguien, @Persona 1, @alguien, @alguien',
  );
  const kept = '@34600333444 20 euros @10:30 @123456 @Ana 600112233';
  assert.equal(await written(kept), kept.replace('34600333444', 'Persona 1'));
  const many = '@34600333444'.repeat(limits.commentChars / 12);
  assert.ok(((await written(many))?.length ?? 0) <= limits.commentChars);
});

test('a plan begins as a draft of everything, and is read back from its file', async () => {
  const summary = await summarizeChat(await openSource(), source);
  const draft = draftPlan({ ...summary, name: 'Vecinos' }, 'Europe/Madrid');
  assert.deepEqual(readPlan(JSON.stringify(draft)), {
    channel: 'Vecinos',
    zone: 'Europe/Madrid',
    dates: 'day-month',
    firstDay: '2024-03-14',
    people: [
      { source: 'Ana', name: 'Ana' },
      { source: 'Ana Gil', name: 'Ana Gil' },
      { source: '+34 600 12 34 56', name: 'Persona 1' },
      { source: 'Luis', name: 'Luis' },
    ],
  });
});

test('a plan that leaves a person undecided is refused, before and while it is applied', async () => {
  const chat = await openSource();
  const { people } = await summarizeChat(chat, source);
  const shorter = { ...plan, zone: 'Europe/Madrid', people: plan.people.slice(0, 2) };
  assert.throws(() => requireDecisions(shorter, people), /nada de \+34 600 12 34 56, Luis\./);
  await assert.rejects(Array.fromAsync(applyPlan(chat.read(), shorter)), /nada de \+34/);
  requireDecisions(plan, people);
});

test('a file that is no plan is refused', () => {
  for (const json of ['', '{', '[]', '{}', JSON.stringify({ ...plan, more: 1 })]) {
    assert.throws(() => readPlan(json), /El plan no/);
  }
});

test('a plan is refused with all that must be changed in it', () => {
  const wrong: Plan = {
    channel: ' ',
    zone: 'Europe/Vecinos',
    dates: 'ask',
    firstDay: '2024-02-30',
    people: [
      { source: 'Ana', name: '\u200b' },
      { source: 'Ana', name: 'Ana' },
      { source: 'Luis', name: '+34\u00a0600 12 34 56' },
      { source: 'Eva', name: 'Tel 600/112233' },
    ],
  };
  assert.throws(
    () => checkPlan(wrong),
    (error) => {
      assert.ok(error instanceof ApiError);
      const fields = error.errors?.map(({ field }) => field);
      const people = wrong.people.map((_, index) => `people.${index}`);
      assert.deepEqual(fields, ['channel', 'zone', 'dates', 'firstDay', ...people]);
      return true;
    },
  );
});
