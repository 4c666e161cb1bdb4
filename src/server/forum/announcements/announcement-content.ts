import type { NewAnnouncement } from '../../../shared/announcements.ts';
import type { FieldParser } from '../../http/field-parser.ts';
import { timeIn } from '../../system/zones.ts';

/** Days for which an announcement stands on top of home: unless something else is chosen, and at most. */
const days = { usual: 7, most: 30 };

/** What makes a comment an announcement, checked and ready to be stored. */
export interface AnnouncementContent {
  /** The last day, such as `2027-03-28`, in the community's zone. */
  untilDay: string;
  /** When that day ends. */
  endsAtMs: number;
  confirm: boolean;
}

/**
 * Parses what makes a new comment an announcement. Call `fields.done()` before using the result.
 * @param zone the community's
 */
export function parseAnnouncement(
  fields: FieldParser,
  { until = null, confirm = false }: NewAnnouncement,
  zone: string,
  nowMs: number,
): AnnouncementContent {
  const today = timeIn(zone, nowMs).toPlainDate();
  const last = until === null ? today.add({ days: days.usual }) : parseDay(until);
  const away = last ? today.until(last, { largestUnit: 'days' }).days : -1;
  if (!last || away < 0 || away > days.most) {
    const message = `Elige un día de hoy a dentro de ${days.most} días.`;
    fields.reject('announcement.until', message);
    return { untilDay: '', endsAtMs: 0, confirm };
  }
  const endsAtMs = last.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
  return { untilDay: last.toString(), endsAtMs, confirm };
}

function parseDay(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}
