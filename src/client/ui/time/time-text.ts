import { dayMs, relativeTime } from '../../dom/time-words.ts';
import { dayAndHour, shortDate } from './short-date.ts';

const forms = ['ago', 'day', 'date'] as const;

/**
 * `ago` is the time since, `day` also, but after a day the day and the hour, and `date` always the date.
 */
export type TimeForm = (typeof forms)[number];

export const isTimeForm = (form: string | undefined): form is TimeForm =>
  forms.some((one) => one === form);

/** @param nowMs the server's time; null while it is unknown, when the text is the day in UTC */
export function timeText(iso: string, form: TimeForm, nowMs: number | null): string {
  const isOld = nowMs === null || nowMs - Date.parse(iso) >= dayMs;
  if (form === 'day' && isOld) return dayAndHour(iso, nowMs);
  if (form === 'date' || nowMs === null) return shortDate(iso, nowMs === null);
  return relativeTime(iso, nowMs);
}
