import { dayMs, relativeTime } from '../../dom/time-words.ts';
import { dayAndHour, fullDate, shortDate } from './short-date.ts';

const forms = ['ago', 'day', 'date', 'hour'] as const;

/**
 * `ago` is the time since, `day` also, but after a day the day and the hour, `date` always the date, and `hour` always
 * the day and the hour, as of a time to come.
 */
export type TimeForm = (typeof forms)[number];

export const isTimeForm = (form: string | undefined): form is TimeForm =>
  forms.some((one) => one === form);

/** @param nowMs the server's time; null while it is unknown, when the text is the day in UTC */
export function timeText(iso: string, form: TimeForm, nowMs: number | null): string {
  const isOld = nowMs === null || nowMs - Date.parse(iso) >= dayMs;
  if (form === 'hour') return nowMs === null ? fullDate(iso, true) : dayAndHour(iso, nowMs);
  if (form === 'day' && isOld) return dayAndHour(iso, nowMs);
  if (form === 'date' || nowMs === null) return shortDate(iso, nowMs === null);
  return relativeTime(iso, nowMs);
}
