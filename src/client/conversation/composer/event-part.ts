import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import type { ComposerDraft } from './composer-draft.ts';
import type { EventDraft } from './empty-event.ts';
import { putEvent } from './put-event.ts';

/** The dates of a comment that is being written. */
export const EventField = lazyPart(async () => (await import('./event-field.tsx')).EventField);

/** What makes it an announcement. */
export const AnnouncementField = lazyPart(
  async () => (await import('../announcements/announcement-field.tsx')).AnnouncementField,
);

/** Preloads their form. */
export function preloadEventField(): Promise<unknown> {
  return EventField.load().catch(() => {});
}

/** Adds dates to a comment that is being written. */
export async function addEvent(draft: ComposerDraft, event: EventDraft): Promise<void> {
  await preloadEventField();
  putEvent(draft, event);
}
