import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import type { ComposerDraft } from './composer-draft.ts';
import type { EventDraft } from './empty-event.ts';
import type { PollDraft } from './empty-poll.ts';
import { putPart } from './put-part.ts';

/** The dates of a comment that is being written. */
export const EventField = lazyPart(async () => (await import('./event-field.tsx')).EventField);

/** Its poll. */
export const PollField = lazyPart(async () => (await import('./poll-field.tsx')).PollField);

/** What makes it an announcement. */
export const AnnouncementField = lazyPart(
  async () => (await import('../announcements/announcement-field.tsx')).AnnouncementField,
);

/** Preloads the forms of dates and polls. */
export function preloadFields(): Promise<unknown> {
  return Promise.allSettled([EventField.load(), PollField.load()]);
}

/** Adds dates to a comment that is being written. */
export async function addEvent(draft: ComposerDraft, event: EventDraft): Promise<void> {
  await preloadFields();
  putPart(draft, { event });
}

/** Adds a poll to a comment that is being written. */
export async function addPoll(draft: ComposerDraft, poll: PollDraft): Promise<void> {
  await preloadFields();
  putPart(draft, { poll });
}
