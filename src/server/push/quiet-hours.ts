/** Local times between which nothing is pushed to those who want quiet nights, in minutes after midnight. */
const nightMinute = 22 * 60;
const morningMinute = 8 * 60;
const quarterMs = 15 * 60_000;

/** Whether it is the name of a time zone, and no offset. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

const formatterOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });

/** Seconds until the next night begins in a time zone; 0 at night. */
export function secondsUntilNight(timeZone: string, nowMs: number): number {
  const parts = formatterOf(timeZone).formatToParts(nowMs);
  const numberOf = (type: 'hour' | 'minute') =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const minute = numberOf('hour') * 60 + numberOf('minute');
  return minute < morningMinute ? 0 : Math.max(0, nightMinute - minute) * 60;
}

/** The next quarter of an hour, in every time zone: nights end at one, also when clocks change. */
export const nextQuarterMs = (nowMs: number) => Math.floor(nowMs / quarterMs + 1) * quarterMs;
