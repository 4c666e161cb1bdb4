import { Value } from 'typebox/value';
import { visibleName } from '../../shared/clean-text.ts';
import { limits } from '../../shared/limits.ts';
import { Plan } from '../../shared/moving-in.ts';
import { parseWallTime } from '../forum/events/event-times.ts';
import { FieldParser } from '../http/field-parser.ts';
import { OperatorError } from '../system/operator-error.ts';
import { knownZone } from '../system/zones.ts';
import { isTelephone } from './suggest-names.ts';
import type { Summary } from './summarize-chat.ts';

/** The plan with which one begins: everything, under the names that were suggested. */
export function draftPlan({ name, dates, from, people }: Summary, zone: string): Plan {
  return {
    channel: name,
    zone,
    dates,
    firstDay: from.slice(0, 10),
    people: people.map((person) => ({ source: person.source, name: person.name })),
  };
}

/**
 * Parses a file of decisions.
 * @throws OperatorError for a file that is no plan; ApiError `invalid_fields`
 */
export function readPlan(json: string): Plan {
  let plan: unknown;
  try {
    plan = JSON.parse(json);
  } catch {
    throw new OperatorError('El plan no es JSON. Bórralo y haz otro con: tertulia import FILE');
  }
  if (Value.Check(Plan, plan)) return checkPlan(plan);
  const [first] = Value.Errors(Plan, plan);
  throw new OperatorError(
    `El plan no tiene la forma que debe${first ? ` en ${first.instancePath || '/'} (${first.message})` : ''}. Corrígelo, o bórralo y haz otro con: tertulia import FILE`,
  );
}

/**
 * Checks decisions, and that each person is decided once.
 * @returns them with names as they are stored
 * @throws ApiError `invalid_fields` with all that must be changed
 */
export function checkPlan(plan: Plan): Plan {
  const fields = new FieldParser();
  const channel = fields.text('channel', visibleName(plan.channel), limits.channelNameChars);
  const zone = knownZone(plan.zone) ?? '';
  if (zone === '') fields.reject('zone', 'No existe esa zona horaria. Una es Europe/Madrid.');
  if (plan.dates === 'ask') {
    fields.reject(
      'dates',
      'Elige: con day-month, 3/4 es el 3 de abril; con month-day, el 4 de marzo.',
    );
  }
  if (!parseWallTime(plan.firstDay, true)) fields.reject('firstDay', 'No existe ese día.');
  const sources = new Set<string>();
  const people = plan.people.map(({ source, name }, index) => {
    const field = `people.${index}`;
    if (sources.has(source)) fields.reject(field, 'Esta persona está dos veces.');
    sources.add(source);
    if (name === null) return { source, name };
    if (isTelephone(name)) {
      fields.reject(field, 'Un teléfono no puede ser un nombre. Pon otro, como Persona 1.');
    }
    return { source, name: fields.text(field, visibleName(name), limits.userNameChars) };
  });
  fields.done();
  return { ...plan, channel, zone, people };
}
