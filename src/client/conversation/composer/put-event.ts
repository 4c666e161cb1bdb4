import { flushSync } from 'react-dom';
import { readDraft } from '../../storage/drafts.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { type ComposerDraft, changeComposer, whyNotAppended } from './composer-draft.ts';
import type { EventDraft } from './empty-event.ts';
import { focusComposer } from './focus-composer.ts';

/**
 * Puts dates into a comment that is being written, unless it has some already, and focuses their first field, whose form
 * is loaded.
 */
export function putEvent(draft: ComposerDraft, event: EventDraft): void {
  const typed = readDraft(draft);
  const refusal = whyNotAppended(typed) ?? (typed.event && hasEvent);
  if (refusal) {
    showStatus({ text: refusal });
    focusComposer(draft);
    return;
  }
  flushSync(() => changeComposer(draft, { event }));
  focusComposer(draft, 'fieldset[name="event"] input');
}

const hasEvent = 'Lo que estás escribiendo ya tiene una fecha: envíalo o quítala antes.';
