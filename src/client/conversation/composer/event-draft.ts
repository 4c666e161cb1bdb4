import { dayText, timeText } from '../../../shared/event-texts.ts';
import type { EventTime, NewEvent } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { deviceZone } from '../../dom/device-zone.ts';
import { type EventDraft, emptyEvent } from './empty-event.ts';

/** The draft of dates like these, to write them anew. */
export function eventDraftOf({
  title,
  location = '',
  allDay,
  capacity,
  dates,
}: NewEvent): EventDraft {
  const { start = '', end = '' } = dates[0] ?? {};
  const [day = '', hour = ''] = start.split('T');
  const [lastDay = '', endHour = ''] = (end ?? '').split('T');
  return {
    ...emptyEvent,
    ...{ title, location, allDay, day, hour, endHour, lastDay: allDay ? lastDay : '' },
    capacity: capacity ? String(capacity) : '',
  };
}

/** The draft of one more date like these, a week after the last one. */
export function eventDraftAfter(event: NewEvent): EventDraft {
  const sorted = [...event.dates].sort((one, other) => one.start.localeCompare(other.start));
  const draft = eventDraftOf({ ...event, dates: sorted.slice(-1) });
  const weekLater = (day: string) => day && toDay(toMs(day) + 7 * dayMs);
  return { ...draft, day: weekLater(draft.day), lastDay: weekLater(draft.lastDay) };
}

const dayMs = 86_400_000;
const toMs = (day: string) => Date.parse(`${day}T00:00Z`);
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The same weekday of a later month: the second Tuesday, or the last one. */
function monthsLater(day: string, months: number): string {
  const from = new Date(toMs(day));
  const nth = Math.ceil(from.getUTCDate() / 7);
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const shift = (from.getUTCDay() - first.getUTCDay() + 7) % 7;
  const end = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0);
  let ms = first.getTime() + (shift + 7 * (nth - 1)) * dayMs;
  if (ms > end) ms -= 7 * dayMs;
  return toDay(ms);
}

/** All days on which it takes place, with those that were taken out. @param most as many as a comment may have */
export function daysOf(
  { day, repeats, until }: EventDraft,
  most: number = limits.eventDates,
): string[] {
  if (!day || Number.isNaN(toMs(day))) return [];
  if (repeats === 'never' || !until) return [day];
  const days: string[] = [];
  for (let index = 0; days.length < most; index++) {
    const next =
      repeats === 'month'
        ? monthsLater(day, index)
        : toDay(toMs(day) + index * (repeats === 'week' ? 7 : 14) * dayMs);
    if (next > until) break;
    days.push(next);
  }
  return days.length > 0 ? days : [day];
}

/** The times of the dates, without those that were taken out. */
export function timesOf(draft: EventDraft): EventTime[] {
  const { day, lastDay, hour, endHour, allDay, without } = draft;
  const length = lastDay && lastDay > day ? toMs(lastDay) - toMs(day) : 0;
  return daysOf(draft)
    .filter((each) => !without.includes(each))
    .map((each) => {
      if (allDay) return { start: each, end: length > 0 ? toDay(toMs(each) + length) : null };
      // An end before the start is on the next day, as of a feast that goes on after midnight.
      const isNextDay = endHour !== '' && endHour <= hour;
      const endDay = isNextDay ? toDay(toMs(each) + dayMs) : each;
      return { start: `${each}T${hour}`, end: endHour ? `${endDay}T${endHour}` : null };
    });
}

/** Such as "lunes 2 de marzo, 20:30" or "30 fechas, del lunes 2 de marzo al lunes 21 de septiembre"; empty without a day. */
export function whenText(draft: EventDraft): string {
  const times = timesOf(draft);
  const [first, last] = [times[0], times.at(-1)];
  if (!first || !last) return draft.day && 'No queda ninguna fecha: vuelve a poner alguna.';
  if (first === last) {
    const isTimed = draft.allDay || draft.hour !== '';
    return isTimed ? timeText({ end: null, ...first }) : dayText(first.start);
  }
  const to = dayText(last.start, first.start.slice(0, 4));
  return `${times.length} fechas, del ${dayText(first.start)} al ${to}`;
}

/** Which date is the last one, if they would go on for more than a comment may have. */
export function cutText(draft: EventDraft): string | undefined {
  const days = daysOf(draft, limits.eventDates + 1);
  const last = days[limits.eventDates - 1];
  if (!last || days.length <= limits.eventDates) return undefined;
  return `Como mucho, ${limits.eventDates} fechas: la última es el ${dayText(last, draft.day.slice(0, 4))}.`;
}

/** The capacity that was typed; null for any number of people. */
export const typedCapacity = ({ capacity }: Pick<EventDraft, 'capacity'>) =>
  capacity === '' ? null : Number(capacity);

/** The dates of the request that sends the comment. */
export function eventOf(draft: EventDraft): NewEvent {
  const { title, location, allDay } = draft;
  const zone = deviceZone();
  return {
    title,
    location,
    allDay,
    ...(zone && { zone }),
    capacity: typedCapacity(draft),
    dates: timesOf(draft),
  };
}
