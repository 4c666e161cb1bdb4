import { commentAnchor, writeAnchor } from '../../../shared/routes.ts';
import { focusField } from '../../dom/focus-field.ts';
import { readDraft } from '../../storage/drafts.ts';
import { type ComposerDraft, targetOf } from './composer-draft.ts';

/** Focuses the composer, which stands in a comment or at the end of the page. @param field selector; by default the text */
export function focusComposer(draft: ComposerDraft, field?: string): void {
  const at = targetOf(readDraft(draft));
  const place = at === undefined ? null : document.getElementById(commentAnchor(at));
  focusField(place ? place.id : writeAnchor, field);
}
