import ical, { escape as escapeText, ICalEventStatus } from 'ical-generator';
import { commentLink } from '../../../shared/routes.ts';
import { dayMs } from '../../system/times.ts';
import type { DateRow, EventRow } from './event-rows.ts';

/** How long a cancelled date stays in calendars. */
const cancelledMs = 30 * dayMs;

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
  for (const { event, date } of dates) {
    const { cancelled_at_ms } = date;
    if (cancelled_at_ms !== null && cancelled_at_ms <= nowMs - cancelledMs) continue;
    const { channel_id, number, revision, changed_at_ms } = event;
    const isAllDay = event.all_day === 1;
    const changed = new Date(changed_at_ms);
    calendar.createEvent({
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
  }
  // The library leaves the last line without an end.
  return `${calendar.toString()}\r\n`;
}

/** The end of whole days is the day after the last one. */
function endOf({ start_time, end_time, ends_at_ms }: DateRow, isAllDay: boolean) {
  if (isAllDay) return { end: new Date(utcDay(end_time ?? start_time).getTime() + dayMs) };
  return end_time === null ? {} : { end: new Date(ends_at_ms) };
}

const utcDay = (day: string) => new Date(`${day}T00:00:00Z`);
