/** One script with what comments may carry, which pages load where they show some. */

export { ChannelAside } from './channel-aside.tsx';
export { EventCard } from './events/event-card.tsx';
export { NextDates } from './events/next-dates.tsx';
export { CommentFiles } from './files/comment-files.tsx';
