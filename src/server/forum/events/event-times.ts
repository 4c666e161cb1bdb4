import { timeIn, usableZone } from '../../system/zones.ts';

/** A start and an end in the form of `EventDate`. */
export interface WallTimes {
  start: string;
  end: string | null;
}

/** The zone of dates, and whether they are whole days. */
export interface Clock {
  zone: string;
  isAllDay: boolean;
}

/** How long a date without an end lasts. */
const withoutEnd = { hours: 2 };
/** The local hour of the day before at which people are reminded. */
const reminderHour = '18:00';

/**
 * Parses a time as one reads it on a clock.
 * @returns undefined when there is no such day or hour in any zone
 */
export function parseWallTime(text: string, isAllDay: boolean): Temporal.PlainDateTime | undefined {
  const form = isAllDay ? /^\d{4}-\d{2}-\d{2}$/ : /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;
  if (!form.test(text)) return undefined;
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/** Whether a zone skips this time, as it does in spring. */
export const isSkipped = (time: Temporal.PlainDateTime, zone: string) =>
  !time.toZonedDateTime(zone).toPlainDateTime().equals(time);

/**
 * When a date starts and ends. Of an hour that exists twice, as in autumn, the first is meant; a date without an end ends
 * two hours later, and one of whole days when its last day does.
 * @param date parsed by `parseWallTime`
 */
export function instantsOf({ start, end }: WallTimes, { zone, isAllDay }: Clock) {
  const timeZone = usableZone(zone);
  const at = (time: Temporal.PlainDateTime) => time.toZonedDateTime(timeZone).epochMilliseconds;
  const first = Temporal.PlainDateTime.from(start);
  const last = Temporal.PlainDateTime.from(end ?? start);
  const startsAtMs = at(first);
  if (isAllDay) return { startsAtMs, endsAtMs: at(last.add({ days: 1 })) };
  return { startsAtMs, endsAtMs: at(end === null ? first.add(withoutEnd) : last) };
}

/** When those who come are reminded: in the evening of the day before. Null when that is past. */
export function reminderOf(startsAtMs: number, zone: string, nowMs: number): number | null {
  const timeZone = usableZone(zone);
  const before = timeIn(timeZone, startsAtMs).toPlainDate().subtract({ days: 1 });
  const ms = before.toZonedDateTime({ timeZone, plainTime: reminderHour }).epochMilliseconds;
  return ms > nowMs ? ms : null;
}
