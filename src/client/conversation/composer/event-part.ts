import { flushSync } from 'react-dom';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { type ComposerDraft, changeComposer } from './composer-draft.ts';
import type { EventDraft } from './event-draft.ts';
import { focusComposer } from './focus-composer.ts';

/** The dates of a comment that is being written. */
export const EventField = lazyPart(async () => (await import('./event-field.tsx')).EventField);

/** Preloads their form. */
export function preloadEventField(): Promise<unknown> {
  return EventField.load().catch(() => {});
}

/** Adds dates to a comment that is being written, and focuses their first field. */
export async function addEvent(draft: ComposerDraft, event: EventDraft): Promise<void> {
  await preloadEventField();
  flushSync(() => changeComposer(draft, { event }));
  focusComposer(draft, 'fieldset[name="event"] input');
}
