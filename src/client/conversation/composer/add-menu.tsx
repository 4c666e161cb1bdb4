import { useAppState } from '../../state/store-provider.tsx';
import { useDraft } from '../../storage/drafts.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import buttons from '../../ui/styles/button.module.css';
import { type ComposerDraft, changeComposer } from './composer-draft.ts';
import { preloadUploads } from './draft-parts.ts';
import { emptyEvent } from './empty-event.ts';
import { addEvent, preloadEventField } from './event-part.ts';

interface AddMenuProps {
  draft: ComposerDraft;
  /** Lets the user choose files. */
  chooseFiles: () => void;
}

/** The menu of what a new comment can carry besides images, and of what it can be. */
export function AddMenu({ draft, chooseFiles }: AddMenuProps) {
  const hasEvent = useDraft(draft, ({ event }) => event !== null);
  const isAnnouncement = useDraft(draft, ({ announcement }) => announcement !== null);
  const isEditing = useDraft(draft, ({ editing }) => editing !== null);
  const isStaff = useAppState(({ role }) => role !== 'member');
  const actions = [
    { label: 'Archivos', run: chooseFiles },
    ...(hasEvent ? [] : [{ label: 'Fecha', run: () => void addEvent(draft, emptyEvent) }]),
    ...(isStaff && !isAnnouncement
      ? [
          {
            label: 'Comunicado',
            run: () => changeComposer(draft, { announcement: { until: '', confirm: false } }),
          },
        ]
      : []),
  ];
  if (isEditing) return null;
  return (
    <ActionMenu
      label="Añadir…"
      className={buttons.quiet}
      actions={() => {
        preloadUploads();
        void preloadEventField();
        return actions;
      }}
    >
      Añadir…
    </ActionMenu>
  );
}
