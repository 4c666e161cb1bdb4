import { useAppState, useSite } from '../../state/store-provider.tsx';
import { useDraft } from '../../storage/drafts.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import buttons from '../../ui/styles/button.module.css';
import { type ComposerDraft, changeComposer, hasPart } from './composer-draft.ts';
import { preloadUploads } from './draft-parts.ts';
import { emptyEvent } from './empty-event.ts';
import { emptyPoll } from './empty-poll.ts';
import { addEvent, addPoll, preloadFields } from './event-part.ts';

interface AddMenuProps {
  draft: ComposerDraft;
  /** Lets the user choose files. */
  chooseFiles: () => void;
}

/** The menu of what a new comment can carry besides images, and of what it can be. */
export function AddMenu({ draft, chooseFiles }: AddMenuProps) {
  const hasOne = useDraft(draft, hasPart);
  const isAnnouncement = useDraft(draft, ({ announcement }) => announcement !== null);
  const isEditing = useDraft(draft, ({ editing }) => editing !== null);
  const { zone } = useSite();
  const isStaff = useAppState(({ role }) => role !== 'member');
  const actions = [
    { label: 'Archivos', run: chooseFiles },
    ...(hasOne
      ? []
      : [
          { label: 'Fecha', run: () => void addEvent(draft, emptyEvent) },
          { label: 'Encuesta', run: () => void addPoll(draft, emptyPoll(zone)) },
        ]),
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
        void preloadFields();
        return actions;
      }}
    >
      Añadir…
    </ActionMenu>
  );
}
