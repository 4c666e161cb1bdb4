import { sql } from 'kysely';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Attendee } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import { InvalidCursor } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { hasRoom } from './event-rows.ts';

/** Answers in the order in which they are listed. */
const order = sql<number>`case event_rsvps.answer when 'yes' then 0 when 'maybe' then 1 else 2 end`;

type Row = Omit<Attendee, 'img' | 'isWaiting'> & {
  img: string | null;
  has_room: number;
  place: number;
  turn: number;
};

/**
 * One page of the listed people who answered to a date: those who come by their turns, then who may, then who does not.
 * @param after `next` of the previous page
 * @throws InvalidCursor
 */
export async function listAttendees(
  db: Database,
  { channelId, number, position }: CommentKey & { position: number },
  after: string | undefined,
): Promise<{ data: Attendee[]; next: string | null }> {
  const [, place, turn, id] = after === undefined ? [] : (cursor.exec(after) ?? invalidCursor());
  const isPast =
    id === undefined
      ? sql`true`
      : sql`(${order}, turn, account_id) > (${Number(place)}, ${Number(turn)}, ${id})`;
  const { rows } = await sql<Row>`
    select accounts.id, accounts.name, accounts.img, answer, people, turn, ${order} as place,
      case when answer <> 'yes' or ${hasRoom('event_rsvps')} then 1 else 0 end as has_room
    from event_rsvps join accounts on accounts.id = event_rsvps.account_id
    where channel_id = ${channelId} and number = ${number} and position = ${position}
      and ${isListed} and ${isPast}
    order by place, turn, account_id
    limit ${limits.listItems + 1}`.execute(db);
  const page = rows.slice(0, limits.listItems);
  const last = page.at(-1);
  return {
    data: page.map(({ id: personId, name, img, answer, people, has_room }) => ({
      id: personId,
      name,
      img: img ?? '',
      answer,
      people,
      isWaiting: has_room === 0,
    })),
    next: rows.length > page.length && last ? `${last.place}_${last.turn}_${last.id}` : null,
  };
}

const cursor = /^([012])_(\d{1,9})_([0-9a-f-]{36})$/;

function invalidCursor(): never {
  throw new InvalidCursor();
}
