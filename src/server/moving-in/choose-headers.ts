import type { Found } from './find-headers.ts';
import type { DateOrder } from './headers.ts';

/** After a lost connection, a message may stand behind newer ones. */
const lateMs = 2 * 60_000;
/** How far clocks go back on one night in autumn. */
const summerTimeMs = 60 * 60_000;
/** How many lines decide whether a line runs ahead. */
const linesAhead = 100;

export interface Choice {
  order: DateOrder;
  /** For each line its time, in milliseconds; undefined when it begins no message. */
  times: (number | undefined)[];
}

/**
 * Chooses the lines that begin messages, and the number in dates that is the day, by the whole file.
 * @param asked the order of day and month, if somebody chose one
 * @returns `dates` is `ask` where both orders are possible and differ; the choice is then that of Spanish
 */
export function chooseHeaders(found: Found[], asked?: DateOrder) {
  const days = chooseInOrder(found, 'day-month');
  const months = chooseInOrder(found, 'month-day');
  if (asked !== undefined) return { ...(asked === days.order ? days : months), dates: asked };
  const count = ({ times }: Choice) => times.filter((time) => time !== undefined).length;
  const lead = count(days) - count(months);
  const isSame = days.times.every((time, index) => time === months.times[index]);
  const better = lead < 0 ? months : days;
  return { ...better, dates: lead === 0 && !isSame ? ('ask' as const) : better.order };
}

/**
 * The times of messages never go back, so a line that does is part of a pasted quotation. A line that runs ahead of those
 * after it belongs to a list of coming dates.
 */
function chooseInOrder(found: Found[], order: DateOrder): Choice {
  const times = found.map(({ ms }) => ms[order]);
  const known = countLines(found);
  let newest = Number.NEGATIVE_INFINITY;

  function isLate(ms: number, index: number): boolean {
    const time = new Date(ms);
    const isNight = time.getUTCDay() === 0 && time.getUTCHours() < 3;
    return ms >= newest - (isNight ? summerTimeMs : lateMs) && (known[index] ?? 0) > 1;
  }

  /** Whether the next line of somebody better known lies between the lines so far and this one. */
  function runsAhead(ms: number, index: number): boolean {
    for (let next = index + 1; next <= index + linesAhead && next < found.length; next++) {
      const after = times[next] ?? Number.NEGATIVE_INFINITY;
      if ((known[next] ?? 0) > (known[index] ?? 0) && after >= newest) return after < ms - lateMs;
    }
    return false;
  }

  const chosen = times.map((ms, index) => {
    if (ms === undefined || (ms < newest && !isLate(ms, index))) return undefined;
    if (runsAhead(ms, index)) return undefined;
    newest = Math.max(newest, ms);
    return newest;
  });
  return { order, times: chosen };
}

/** For each line, the number of lines by its author, up to 50; 0 for notices and lines that occurred before. */
function countLines(found: Found[]): number[] {
  const lines = new Map<string, number>();
  for (const { person } of found) lines.set(person, (lines.get(person) ?? 0) + 1);
  return found.map(({ person, isRepeated }) =>
    person === '' || isRepeated ? 0 : Math.min(lines.get(person) ?? 0, 50),
  );
}
