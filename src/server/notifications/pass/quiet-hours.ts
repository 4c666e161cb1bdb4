import { timeIn } from '../../system/zones.ts';

/** Local hours between which nothing is pushed to those who want quiet nights. */
const nightHour = 22;
const morningHour = 8;
const quarterMs = 15 * 60_000;

/** Seconds until the next night begins in a time zone; 0 at night. */
export function secondsUntilNight(zone: string, nowMs: number): number {
  const now = timeIn(zone, nowMs);
  if (now.hour < morningHour || now.hour >= nightHour) return 0;
  const night = now.with({ hour: nightHour, minute: 0, second: 0, millisecond: 0 });
  return Math.ceil((night.epochMilliseconds - nowMs) / 1000);
}

/** The next quarter of an hour, in every time zone: nights end at one, also when clocks change. */
export const nextQuarterMs = (nowMs: number) => Math.floor(nowMs / quarterMs + 1) * quarterMs;
