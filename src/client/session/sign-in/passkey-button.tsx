import { useMutation } from '@tanstack/react-query';
import type { SignedIn } from '../../../shared/accounts.ts';
import { useIsReady } from '../../state/store-provider.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { Alert } from '../../ui/notice.tsx';
import { offersPasskeys, signInWithPasskey } from '../passkeys.ts';

/**
 * Signs in with a passkey, and remembers the browser if the form's box is ticked. Disabled until hydration; renders
 * nothing where the browser or the page's address does not support passkeys.
 */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const isReady = useIsReady();
  const { mutateAsync, error } = useMutation({
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
      <ActionButton disabled={!isReady} run={mutateAsync}>
        Entrar con huella, cara o PIN
      </ActionButton>
    </>
  );
}
