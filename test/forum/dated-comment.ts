import { insertAnnouncement } from '../../src/server/forum/announcements/announcement-rows.ts';
import { answerPath } from '../../src/server/forum/events/answer-links.ts';
import { calendarPath } from '../../src/server/forum/events/calendar-feed.ts';
import { dayMs } from '../../src/server/system/times.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { NewEvent } from '../../src/shared/events.ts';
import type { Forum, Person } from './forum.ts';
import { uploadFile } from './upload-file.ts';

/** Dates that are always to come. */
export const someDates: NewEvent = {
  title: 'Reunión',
  location: 'Local',
  zone: 'Europe/Madrid',
  allDay: false,
  dates: [{ start: `${new Date().getFullYear() + 2}-06-03T20:30` }],
};

/**
 * Writes a comment with dates and a file, which is also an announcement.
 * @param reader whose links answer and subscribe
 */
export async function datedComment(
  forum: Forum,
  author: Person,
  channelId: string,
  reader: Pick<Person, 'id'>,
) {
  const { db } = forum.services;
  const file = await uploadFile(forum, author);
  const files = [{ url: file.downloadURL }];
  const { number } = await forum.comment(author, channelId, '', { event: someDates, files });
  const endsAtMs = forum.services.now() + dayMs;
  const until = { untilDay: '2099-01-01', endsAtMs, confirm: true };
  await insertAnnouncement(db, { channelId, number }, until);
  const place = { channelId, number, position: 0 };
  const rsvp = await answerPath(db, reader.id, place, 'yes');
  const calendar = await calendarPath(db, reader.id);
  return {
    dated: number,
    file: file.fullPath,
    rsvp: rsvp.replace('/rsvp/', ''),
    calendar: calendar.replace('/calendar/', '').replace('.ics', ''),
  };
}

/**
 * Writes a comment with two dates, of which the second is cancelled after both people answered. The first date has room
 * for one of them, so the other waits.
 * @returns the number of the comment
 */
export async function answeredDates(
  forum: Forum,
  author: Person,
  channelId: string,
  [coming, waiting]: [Person, Person],
): Promise<number> {
  const year = new Date().getFullYear() + 2;
  const dates = [...someDates.dates, { start: `${year}-06-10T20:30`, end: `${year}-06-10T22:00` }];
  const event = { ...someDates, capacity: 1, dates };
  const { number } = await forum.comment(author, channelId, '', { event });
  for (const { token } of [coming, waiting]) {
    const body = { date: 'all', answer: 'yes' };
    await forum.json('PUT', apiRoutes.rsvp(channelId, number), { token, body });
  }
  await forum.json('PATCH', apiRoutes.event(channelId, number), {
    token: author.token,
    headers: { 'if-match': '"1"' },
    body: { dates: [{ position: 1, cancelled: true, reason: 'Es fiesta' }] },
  });
  return number;
}
