import { answerPath } from '../../src/server/forum/events/answer-links.ts';
import { calendarPath } from '../../src/server/forum/events/calendar-feed.ts';
import type { NewEvent } from '../../src/shared/events.ts';
import type { Forum, Person } from './forum.ts';

/** Dates that are always to come. */
export const someDates: NewEvent = {
  title: 'Reunión',
  location: 'Local',
  zone: 'Europe/Madrid',
  allDay: false,
  dates: [{ start: `${new Date().getFullYear() + 2}-06-03T20:30` }],
};

/**
 * Writes a comment with dates.
 * @param reader whose links answer and subscribe
 */
export async function datedComment(
  forum: Forum,
  author: Person,
  channelId: string,
  reader: Pick<Person, 'id'>,
) {
  const { db } = forum.services;
  const { number } = await forum.comment(author, channelId, '', { event: someDates });
  const place = { channelId, number, position: 0 };
  const rsvp = await answerPath(db, reader.id, place, 'yes');
  const calendar = await calendarPath(db, reader.id);
  return {
    dated: number,
    rsvp: rsvp.replace('/rsvp/', ''),
    calendar: calendar.replace('/calendar/', '').replace('.ics', ''),
  };
}
