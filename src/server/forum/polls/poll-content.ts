import { visibleName } from '../../../shared/clean-text.ts';
import { dayText, hourText } from '../../../shared/event-texts.ts';
import { limits } from '../../../shared/limits.ts';
import type { NewPoll } from '../../../shared/polls.ts';
import { toInstant } from '../../database/tables.ts';
import type { FieldParser } from '../../http/field-parser.ts';
import { dayMs } from '../../system/times.ts';
import { timeIn } from '../../system/zones.ts';
import { checkTimes } from '../events/event-content.ts';
import { instantsOf } from '../events/event-times.ts';

/** The poll of a comment, checked and ready to be stored. */
export interface PollContent {
  multiple: boolean;
  secret: boolean;
  /** An instant in UTC. */
  closesAt: string;
  /** In the order shown. `start` is the day and hour of an option that is one. */
  options: { text: string; start: string | null }[];
}

/** A browser's clock may be this far off, and a request takes time. */
const toleranceMs = 60_000;

/**
 * Parses the poll of a new comment. Call `fields.done()` before using the result.
 * @param zone the community's, of options that are a day and hour
 */
export function parsePoll(
  fields: FieldParser,
  { multiple, secret, closesAt, options }: NewPoll,
  zone: string,
  nowMs: number,
): PollContent {
  const parsed = options.map((option) => parseOption(fields, option, zone, nowMs));
  const texts = parsed.map(({ text }) => text.toLowerCase()).filter(Boolean);
  if (new Set(texts).size < texts.length) {
    fields.reject('poll.options', 'Hay dos opciones iguales. Cambia o quita una.');
  }
  const closing = parseClosing(fields, closesAt, nowMs);
  const days = parsed.flatMap(({ start, text }) => (start && text ? { start, text } : []));
  const passed = days.find(({ start }) => Date.parse(closing) > startMs(start, zone));
  if (passed) {
    fields.reject('poll.closesAt', `Elige un cierre anterior al ${passed.text}, que se vota.`);
  }
  return { multiple, secret, closesAt: closing, options: parsed };
}

const startMs = (start: string, zone: string) =>
  instantsOf({ start, end: null }, { zone, isAllDay: false }).startsAtMs;

function parseClosing(fields: FieldParser, closesAt: string, nowMs: number): string {
  const ms = parseInstant(closesAt) ?? 0;
  const earliest = nowMs + limits.pollMinutes * 60_000 - toleranceMs;
  const latest = nowMs + limits.pollDays * dayMs + toleranceMs;
  if (ms >= earliest && ms <= latest) return toInstant(ms);
  const message = `Elige un cierre de ${limits.pollMinutes} minutos a ${limits.pollDays} días desde ahora.`;
  fields.reject('poll.closesAt', message);
  return '';
}

function parseInstant(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

function parseOption(
  fields: FieldParser,
  { text = '', start = null }: NewPoll['options'][number],
  zone: string,
  nowMs: number,
): PollContent['options'][number] {
  if (start === null) {
    const written = fields.text('poll.options', visibleName(text), limits.pollOptionChars);
    return { text: written, start };
  }
  const clock = { zone, isAllDay: false };
  const isRight = checkTimes(fields, { start, end: null }, clock, nowMs, 'poll.options');
  if (!isRight) return { text: '', start };
  const [day = '', hour = ''] = start.split('T');
  const year = String(timeIn(zone, nowMs).year);
  return { text: `${dayText(day, year)}, ${hourText(hour)}`, start };
}

/** The words of a poll for searches, excerpts and moderators. */
export const pollText = ({ options }: { options: { text: string }[] }) =>
  options.map(({ text }) => text).join('\n');
