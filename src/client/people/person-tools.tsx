import { commentTexts } from '../comments/comment-texts.ts';
import { ActionMenu } from '../components/action-menu.tsx';
import buttons from '../components/button.module.css';
import { subjectActions } from '../components/subject-actions.ts';
import type { SubjectTask } from '../components/subject-panel.tsx';
import { useStore } from '../state/store-provider.tsx';

/** The menu with which a signed-in user reports a person, and moderators decide. */
export function PersonTools({ onTask }: { onTask: (task: SubjectTask) => void }) {
  const { getState } = useStore();
  return (
    <ActionMenu
      className={buttons.round}
      label={commentTexts.more}
      actions={() => subjectActions({ kind: 'user', role: getState().role }, onTask)}
    />
  );
}
