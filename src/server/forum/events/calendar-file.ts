import ical, { escape as escapeText, ICalEventStatus } from 'ical-generator';
import { commentLink } from '../../../shared/routes.ts';
import { dayMs } from '../../system/times.ts';
import type { DateRow, EventRow } from './event-rows.ts';

/** How long a cancelled date stays in calendars. */
const cancelledMs = 30 * dayMs;
const lineBytes = 75;

export interface FileDate {
  event: EventRow;
  date: DateRow;
}

/**
 * Writes dates as iCalendar (RFC 5545): times in UTC, whole days as such, without names or addresses of people. The same
 * dates are the same bytes.
 * @param site.identity tells the dates of one site from those of others
 */
export function calendarFile(
  site: { name: string; origin: string; identity: string },
  dates: FileDate[],
  nowMs: number,
): string {
  const calendar = ical({
    // The library does this for titles and places only.
    name: escapeText(site.name, false),
    prodId: { company: 'tertulia', product: 'tertulia', language: 'ES' },
  });
  const empty = calendar.toString();
  const events = dates.map(({ event, date }) => {
    const { cancelled_at_ms } = date;
    if (cancelled_at_ms !== null && cancelled_at_ms <= nowMs - cancelledMs) return '';
    const { channel_id, number, revision, changed_at_ms } = event;
    const isAllDay = event.all_day === 1;
    const changed = new Date(changed_at_ms);
    const written = calendar.createEvent({
      id: `${site.identity}-${channel_id}-${number}-${date.position}`,
      sequence: revision - 1,
      stamp: changed,
      lastModified: changed,
      allDay: isAllDay,
      start: isAllDay ? utcDay(date.start_time) : new Date(date.starts_at_ms),
      ...endOf(date, isAllDay),
      summary: event.title,
      location: event.location || null,
      url: site.origin + commentLink(channel_id, number),
      status: cancelled_at_ms === null ? ICalEventStatus.CONFIRMED : ICalEventStatus.CANCELLED,
    });
    return written.toString();
  });
  const end = 'END:VCALENDAR';
  const lines = `${empty.slice(0, -end.length)}${events.join('')}${end}`.split('\r\n');
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/**
 * Cuts a line into several of at most 75 bytes, between characters; all but the first begin with a blank. The library
 * does it to whole calendars only, for which it takes half a second for a thousand dates.
 */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= lineBytes) return line;
  let text = '';
  let bytes = 0;
  for (const char of line) {
    const more = Buffer.byteLength(char);
    if (bytes + more > lineBytes) {
      text += '\r\n ';
      bytes = 1;
    }
    text += char;
    bytes += more;
  }
  return text;
}

/** The end of whole days is the day after the last one. */
function endOf({ start_time, end_time, ends_at_ms }: DateRow, isAllDay: boolean) {
  if (isAllDay) return { end: new Date(utcDay(end_time ?? start_time).getTime() + dayMs) };
  return end_time === null ? {} : { end: new Date(ends_at_ms) };
}

const utcDay = (day: string) => new Date(`${day}T00:00:00Z`);
