import { eventText } from '../events/event-content.ts';
import { pollText } from '../polls/poll-content.ts';

interface Carried {
  event: Parameters<typeof eventText>[0] | null;
  poll: Parameters<typeof pollText>[0] | null;
}

/** The words of what a comment carries, which searches, excerpts and moderators read after its text. Empty for nothing. */
export const carriedText = ({ event, poll }: Carried) =>
  [event && eventText(event), poll && pollText(poll)].filter(Boolean).join('\n');
