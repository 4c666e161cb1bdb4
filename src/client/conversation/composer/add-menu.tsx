import { useDraft } from '../../storage/drafts.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import buttons from '../../ui/styles/button.module.css';
import type { ComposerDraft } from './composer-draft.ts';
import { emptyEvent } from './empty-event.ts';
import { addEvent, preloadEventField } from './event-part.ts';

/** The menu of what a new comment can carry besides images. */
export function AddMenu({ draft }: { draft: ComposerDraft }) {
  const hasEvent = useDraft(draft, ({ event }) => event !== null);
  const isEditing = useDraft(draft, ({ editing }) => editing !== null);
  if (hasEvent || isEditing) return null;
  return (
    <ActionMenu
      label="Añadir…"
      className={buttons.quiet}
      actions={() => {
        void preloadEventField();
        return [{ label: 'Fecha', run: () => void addEvent(draft, emptyEvent) }];
      }}
    >
      Añadir…
    </ActionMenu>
  );
}
