import { oneLine, visibleName } from '../../../shared/clean-text.ts';
import { dayText, hourText, timeText } from '../../../shared/event-texts.ts';
import type { NewEvent } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import type { FieldParser } from '../../http/field-parser.ts';
import { timeIn } from '../../system/zones.ts';
import { type Clock, instantsOf, isSkipped, parseWallTime, type WallTimes } from './event-times.ts';

/** The dates of a comment, checked and ready to be stored. */
export interface EventContent {
  title: string;
  /** May be empty. */
  location: string;
  zone: string;
  allDay: boolean;
  capacity: number | null;
  /** In the order of their starts. */
  dates: WallTimes[];
}

/**
 * Parses the dates of a new comment. Call `fields.done()` before using the result.
 * @param zone a zone that this server knows
 */
export function parseEvent(
  fields: FieldParser,
  { title, location = '', allDay, capacity = null, dates }: NewEvent,
  zone: string,
  nowMs: number,
): EventContent {
  const clock = { zone, isAllDay: allDay };
  const parsed = dates.map(({ start, end = null }) => ({ start, end: end || null }));
  for (const date of parsed) checkTimes(fields, date, clock, nowMs);
  checkDifferent(
    fields,
    parsed.map(({ start }) => start),
  );
  return {
    title: parseTitle(fields, title),
    location: parseLocation(fields, location),
    zone,
    allDay,
    capacity,
    dates: parsed.toSorted((one, other) => (one.start < other.start ? -1 : 1)),
  };
}

export const parseTitle = (fields: FieldParser, title: string) =>
  fields.text('event.title', visibleName(title), limits.eventTitleChars);

export const parseLocation = (fields: FieldParser, location: string) =>
  fields.optionalText('event.location', visibleName(location), limits.eventLocationChars);

/**
 * Rejects times that do not exist, an end before the start, and a start that is past or too far ahead.
 * @param field the one that has the time
 * @returns whether it rejected none
 */
export function checkTimes(
  fields: FieldParser,
  date: WallTimes,
  { zone, isAllDay }: Clock,
  nowMs: number,
  field = 'event.dates',
): boolean {
  const reject = (message: string) => {
    fields.reject(field, message);
    return false;
  };
  const [start, end] = [date.start, date.end ?? date.start].map((time) =>
    parseWallTime(time, isAllDay),
  );
  if (!start || !end) {
    const given = start ? date.end : date.start;
    return reject(
      isAllDay
        ? `«${shownTime(given)}» no es un día que exista. Elige otro.`
        : `«${shownTime(given)}» no es un día y una hora que existan. Elige otros.`,
    );
  }
  const skipped = isAllDay ? undefined : [start, end].find((time) => isSkipped(time, zone));
  if (skipped) {
    const text = dayAndHour(skipped.toString({ smallestUnit: 'minute' }));
    return reject(`El ${text} no existe: esa noche se adelanta el reloj. Elige otra hora.`);
  }
  const order = Temporal.PlainDateTime.compare(start, end);
  if (order > 0 || (order === 0 && date.end !== null && !isAllDay)) {
    return reject(`El ${dayAndHour(date.start)} no puede terminar antes de empezar.`);
  }
  const { startsAtMs, endsAtMs } = instantsOf(date, { zone, isAllDay });
  const latest = timeIn(zone, nowMs).add({ years: limits.eventYears }).epochMilliseconds;
  // The present day can still be announced.
  if (isAllDay ? endsAtMs <= nowMs : startsAtMs <= nowMs) {
    return reject(`El ${dayAndHour(date.start)} ya ha pasado. Elige otra fecha.`);
  }
  if (Math.max(startsAtMs, endsAtMs) > latest) {
    return reject(
      `El ${dayText(date.end ?? date.start, '')} está demasiado lejos: como mucho, ${limits.eventYears} años.`,
    );
  }
  return true;
}

/** Rejects two dates of a comment at the same time. */
export function checkDifferent(fields: FieldParser, starts: string[]): void {
  const twice = starts.find((start, index) => starts.indexOf(start) !== index);
  if (twice === undefined) return;
  fields.reject('event.dates', `El ${dayAndHour(twice)} está dos veces. Quita una.`);
}

function dayAndHour(time: string): string {
  const hour = time.split('T')[1];
  return hour === undefined ? dayText(time) : `${dayText(time)} a las ${hourText(hour)}`;
}

/** A time as it was sent, without what could mislead. */
const shownTime = (time: string | null) =>
  oneLine(time ?? '')
    .replace(/[^\d:T-]/g, '')
    .slice(0, 16);

/** The words of dates for searches, excerpts and moderators. */
export const eventText = ({ title, location, dates }: Omit<EventContent, 'zone' | 'allDay'>) =>
  [title, ...(location ? [location] : []), ...dates.map(timeText)].join('\n');
