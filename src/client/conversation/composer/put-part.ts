import { flushSync } from 'react-dom';
import { readDraft } from '../../storage/drafts.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import {
  type ComposerDraft,
  type Content,
  changeComposer,
  whyNotAppended,
} from './composer-draft.ts';
import { focusComposer } from './focus-composer.ts';

/**
 * Puts dates or a poll into a comment that is being written, unless it has one of these already, and focuses the first
 * field, whose form is loaded.
 */
export function putPart(
  draft: ComposerDraft,
  part: Partial<Pick<Content, 'event' | 'poll'>>,
): void {
  const typed = readDraft(draft);
  const refusal =
    whyNotAppended(typed) ?? (typed.event ? hasOne('fecha') : typed.poll && hasOne('encuesta'));
  if (refusal) {
    showStatus({ text: refusal });
    focusComposer(draft);
    return;
  }
  flushSync(() => changeComposer(draft, part));
  focusComposer(draft, ':is([name="event"], [name="poll"]) input');
}

const hasOne = (what: string) =>
  `Lo que estás escribiendo ya tiene una ${what}: envíalo o quítala antes.`;
