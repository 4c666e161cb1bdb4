import type { Channel } from '../../src/shared/channels.ts';
import { encodePath } from '../../src/shared/routes.ts';
import type { Person } from './forum.ts';

/** Rows that exist, for the parameters of routes. */
export interface World {
  owner: Person;
  channel: Channel;
  image: string;
  /** `files/<id>/<name>`. */
  file: string;
  decision: string;
  receipt: string;
  /** Ends the owner's mails. */
  unsubscribe: string;
  /** Number of the comment of the channel that carries dates, and what answers to the first of them. */
  dated: number;
  rsvp: string;
  /** Number of the comment of the channel that carries a closed poll. */
  polled: number;
  /** A channel that was a chat, and the token by which a person of it withdraws their words. */
  channelId: string;
  withdraw: string;
  /** The secret of the owner's calendar, with its ending. */
  calendar: string;
}

/** Fills the parameters of a pattern, each by the segment before it, and adds the query that the route requires. */
export function addressOf(
  pattern: string,
  { owner, channel, image, file, ...world }: World,
): string {
  const values: Record<string, string> = {
    channels: channel._id,
    channel: channel._id,
    comments: /\/(event|rsvps?|acknowledgements?|reminder)(\.ics)?$/.test(pattern)
      ? String(world.dated)
      : /\/votes$/.test(pattern)
        ? String(world.polled)
        : '1',
    users: owner.id,
    user: owner.id,
    decisions: world.decision,
    images: image.replace('images/', ''),
    azulejo: 'a',
    feeds: channel._id,
    reports: world.receipt,
    unsubscribe: world.unsubscribe,
    rsvp: world.rsvp,
    import: world.channelId,
    withdraw: world.withdraw,
    calendar: world.calendar,
  };
  const queries: Record<string, string> = {
    '/api/users': `?channel=${channel._id}&prefix=lu`,
    '/api/user/news': '?channels=x',
    '/api/channels/:id/mine': '?from=1&to=9',
    '/api/search': '?q=hola',
    '/api/channels/:id/comments/:number/rsvps': '?date=0',
    '/api/channels/:id/comments/:number/votes': '?option=0',
    '/api/user/rsvps': '?from=2026-01-01T00:00:00.000Z&to=2099-01-01T00:00:00.000Z',
  };
  const path = pattern
    .replace('files/:id/:name', encodePath(file))
    .replace(/(\w+)\/:\w+/g, (_, segment) => `${segment}/${values[segment] ?? 'x'}`)
    .replace(':variant', 'card.jpg')
    .replace('*', 'static/index.css');
  return path + (queries[pattern] ?? '');
}
