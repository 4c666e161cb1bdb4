import { type MouseEvent, useState } from 'react';
import type { SignedIn } from '../../shared/accounts.ts';
import { accountTexts } from '../account-texts.ts';
import { failureText } from '../api/failures.ts';
import buttons from '../components/button.module.css';
import { Alert } from '../components/notice.tsx';
import { Spinner } from '../components/spinner.tsx';
import { useExclusive } from '../components/use-exclusive.ts';
import { useIsReady } from '../state/store-provider.tsx';
import { offersPasskeys, signInWithPasskey } from './passkeys.ts';

/**
 * Signs in by a passkey, remembered if the box of the form is ticked. Disabled until hydration; shows nothing
 * where the browser or the address of the page does not support passkeys.
 */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const isReady = useIsReady();
  const [message, setMessage] = useState('');
  const { isBusy, run } = useExclusive(async ({ currentTarget }: MouseEvent) => {
    setMessage('');
    const box = document.querySelector<HTMLInputElement>('input[name="remember"]');
    const result = await signInWithPasskey(box?.checked === true, () => currentTarget.isConnected);
    if (result?.ok) onSignedIn(result.value);
    else if (result) setMessage(failureText(result));
  });
  if (isReady && !offersPasskeys()) return null;

  return (
    <>
      {message && <Alert>{message}</Alert>}
      <button
        type="button"
        className={buttons.quiet}
        disabled={!isReady}
        aria-disabled={isBusy || undefined}
        onClick={run}
      >
        {isBusy && <Spinner />}
        <span>{accountTexts.signInWithPasskey}</span>
      </button>
    </>
  );
}
