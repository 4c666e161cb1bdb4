import { useState } from 'react';
import { accountTexts } from '../account-texts.ts';
import buttons from '../components/button.module.css';
import { DiscardQuestion } from '../components/edit-buttons.tsx';
import { useOpener } from '../settings/use-opener.ts';

/** Discards what was typed, after asking. */
export function DiscardButton({ onDiscard }: { onDiscard: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const opener = useOpener(isAsking);
  if (isAsking) {
    const question = accountTexts.discardChanges;
    return <DiscardQuestion {...{ question, onDiscard }} onKeepEditing={() => setAsking(false)} />;
  }
  return (
    <button ref={opener} type="button" className={buttons.quiet} onClick={() => setAsking(true)}>
      {accountTexts.discard}
    </button>
  );
}
