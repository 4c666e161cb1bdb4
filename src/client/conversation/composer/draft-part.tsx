import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '../../ui/icons.tsx';
import buttons from '../../ui/styles/button.module.css';
import type { ComposerDraft } from './composer-draft.ts';
import styles from './event-field.module.css';
import { focusComposer } from './focus-composer.ts';

interface DraftPartProps {
  draft: ComposerDraft;
  name: string;
  legend: string;
  /** Label of the button that removes the part. */
  removeLabel: string;
  isLocked: boolean;
  onRemove: () => void;
  children: ReactNode;
}

/** The fields of what a comment that is being written carries or is, with a button that removes them. */
export function DraftPart(props: DraftPartProps) {
  const { draft, name, legend, removeLabel, isLocked, onRemove, children } = props;
  return (
    <fieldset name={name} className={`stack ${styles.event}`} disabled={isLocked}>
      <legend className={styles.legend}>{legend}</legend>
      {!isLocked && (
        <button
          type="button"
          className={`${buttons.round} ${styles.remove}`}
          aria-label={removeLabel}
          onClick={() => {
            flushSync(onRemove);
            focusComposer(draft);
          }}
        >
          <Icon size={18} path="M18 6 6 18M6 6l12 12" />
        </button>
      )}
      {children}
    </fieldset>
  );
}
