import { flushSync } from 'react-dom';
import { readDraft } from '../../storage/drafts.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { type ComposerDraft, changeComposer, whyNotAppended } from './composer-draft.ts';
import type { EventDraft } from './event-draft.ts';
import { focusComposer } from './focus-composer.ts';

/** The dates of a comment that is being written. */
export const EventField = lazyPart(async () => (await import('./event-field.tsx')).EventField);

/** Preloads their form. */
export function preloadEventField(): Promise<unknown> {
  return EventField.load().catch(() => {});
}

/** Adds dates to a comment that is being written, unless it has some already, and focuses their first field. */
export async function addEvent(draft: ComposerDraft, event: EventDraft): Promise<void> {
  const typed = readDraft(draft);
  const refusal = whyNotAppended(typed) ?? (typed.event && hasEvent);
  if (refusal) {
    showStatus({ text: refusal });
    focusComposer(draft);
    return;
  }
  await preloadEventField();
  flushSync(() => changeComposer(draft, { event }));
  focusComposer(draft, 'fieldset[name="event"] input');
}

const hasEvent = 'Lo que estás escribiendo ya tiene una fecha: envíalo o quítala antes.';
