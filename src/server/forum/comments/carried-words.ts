import { eventText } from '../events/event-content.ts';
import { pollText } from '../polls/poll-content.ts';

interface Carried {
  event: Parameters<typeof eventText>[0] | null;
  poll: Parameters<typeof pollText>[0] | null;
  files: { name: string }[];
}

/**
 * The words of what a comment carries, for searches, excerpts and moderators: those of its dates or its poll, then the
 * names of its files. Empty for nothing.
 */
export const carriedWords = ({ event, poll, files }: Carried): string =>
  [event && eventText(event), poll && pollText(poll), ...files.map(({ name }) => name)]
    .filter(Boolean)
    .join('\n');
