import type { SignedIn } from '../../../shared/accounts.ts';
import { Failure } from '../../api/failures.ts';
import { useHydrated } from '../../state/store-provider.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { useAction } from '../../ui/forms/use-action.ts';
import { Alert } from '../../ui/notice.tsx';
import { offersPasskeys, signInWithPasskey } from '../passkeys.ts';

/**
 * Signs in with a passkey, and remembers the browser if the form's box is ticked. Disabled until hydration; renders
 * nothing where the browser or the page's address does not support passkeys.
 */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const isReady = useHydrated();
  const { run, error } = useAction(async (button: HTMLElement) => {
    const box = document.querySelector<HTMLInputElement>('input[name="remember"]');
    const signedIn = await signInWithPasskey(box?.checked === true, () => button.isConnected);
    if (signedIn) onSignedIn(signedIn);
  });
  if (isReady && !offersPasskeys()) return null;

  return (
    <>
      {error instanceof Failure && <Alert>{error.text}</Alert>}
      <ActionButton disabled={!isReady} run={run}>
        Entrar con huella, cara o PIN
      </ActionButton>
    </>
  );
}
