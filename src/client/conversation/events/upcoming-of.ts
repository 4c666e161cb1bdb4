import type { CalendarDate } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { type ChannelState, isInSpan } from '../../state/state.ts';

/**
 * The next dates of a channel, soonest first, and those that run for days last. Those of the comments on the page are as the comments are now, which live
 * events change; the others as they were when the channel was fetched.
 */
export function upcomingOf({
  _id,
  name,
  comments,
  span,
  upcoming = [],
}: ChannelState): CalendarDate[] {
  const onPage = comments.flatMap(({ number, event }) => {
    if (!event) return [];
    const { dates, revision, ...common } = event;
    const coming = dates.filter(({ phase }) => phase !== 'over');
    return coming.map((date) => ({ channel: { _id, name }, number, ...common, date }));
  });
  return [...upcoming.filter(({ number }) => !isInSpan(span, number)), ...onPage]
    .sort((one, other) => orderOf(one).localeCompare(orderOf(other)))
    .slice(0, limits.channelDates);
}

function orderOf({ date: { phase, startsAt, endsAt } }: CalendarDate): string {
  const hours = (Date.parse(endsAt) - Date.parse(startsAt)) / 3_600_000;
  return `${Number(phase === 'on' && hours >= limits.longDateHours)} ${startsAt}`;
}
