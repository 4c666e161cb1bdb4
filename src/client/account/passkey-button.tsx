import { useMutation } from '@tanstack/react-query';
import type { SignedIn } from '../../shared/accounts.ts';
import buttons from '../components/button.module.css';
import { Alert } from '../components/notice.tsx';
import { Spinner } from '../components/spinner.tsx';
import { useIsReady } from '../state/store-provider.tsx';
import { offersPasskeys, signInWithPasskey } from './passkeys.ts';

/**
 * Signs in by a passkey, remembered if the box of the form is ticked. Disabled until hydration; shows nothing
 * where the browser or the address of the page does not support passkeys.
 */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const isReady = useIsReady();
  const { isPending, mutate, error } = useMutation({
    async mutationFn(button: HTMLElement) {
      const box = document.querySelector<HTMLInputElement>('input[name="remember"]');
      const signedIn = await signInWithPasskey(box?.checked === true, () => button.isConnected);
      if (signedIn) onSignedIn(signedIn);
    },
  });
  if (isReady && !offersPasskeys()) return null;

  return (
    <>
      {error && <Alert>{error.text}</Alert>}
      <button
        type="button"
        className={buttons.quiet}
        disabled={!isReady}
        aria-disabled={isPending || undefined}
        onClick={({ currentTarget }) => isPending || mutate(currentTarget)}
      >
        {isPending && <Spinner />}
        <span>Entrar con huella, cara o PIN</span>
      </button>
    </>
  );
}
