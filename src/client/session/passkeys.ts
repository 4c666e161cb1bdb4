import type { PasskeyInfo } from '../../shared/account-settings.ts';
import type { SignedIn } from '../../shared/accounts.ts';
import type { PasskeyCreation, PasskeyRequest } from '../../shared/passkeys.ts';
import { userHandle } from '../../shared/user-handle.ts';
import { ownFailure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { signInByPasskey, startPasskeySignIn } from './account-calls.ts';
import { signInAfresh } from './sign-in-afresh.ts';

/** Whether this page has an address that passkeys can belong to: a host name, over https or on localhost. */
export function hasPasskeyAddress(): boolean {
  return isSecureContext && /[a-z]/i.test(location.hostname) && !location.hostname.includes(':');
}

/** Whether this browser can create and use passkeys for this page. */
export function offersPasskeys(): boolean {
  return (
    hasPasskeyAddress() &&
    'PublicKeyCredential' in window &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
  );
}

/** The result of the browser's dialog. `exists`: this authenticator already has a passkey of the account. */
type DialogResult = { credential: object } | 'canceled' | 'exists' | 'failed';

/**
 * Tells the browser which passkeys still open the account: it offers no others any more, and may delete them. So it is
 * not told while one is being added. Browsers that cannot be told go on offering deleted ones.
 */
export async function tellAcceptedPasskeys(accountId: string, left: PasskeyInfo[]): Promise<void> {
  if (!offersPasskeys() || !PublicKeyCredential.signalAllAcceptedCredentials) return;
  await PublicKeyCredential.signalAllAcceptedCredentials({
    rpId: location.hostname,
    userId: userHandle(accountId),
    allAcceptedCredentialIds: left.map(({ id }) => id),
  }).catch(() => {});
}

export function askToCreatePasskey(options: PasskeyCreation): Promise<DialogResult> {
  return ask(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );
}

function askForPasskey(options: PasskeyRequest): Promise<DialogResult> {
  return ask(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
}

async function ask(open: () => Promise<Credential | null>): Promise<DialogResult> {
  try {
    const credential = await open();
    if (!credential) return 'canceled';
    return { credential: (credential as PublicKeyCredential).toJSON() };
  } catch (error) {
    const { name } = error as DOMException;
    if (name === 'InvalidStateError') return 'exists';
    // Browsers report the same error for a closed dialog and for a timeout.
    return name === 'NotAllowedError' || name === 'AbortError' ? 'canceled' : 'failed';
  }
}

/**
 * Signs in with a passkey, for which the browser opens its dialog.
 * @param isRemembered whether the browser stays signed in
 * @param isPageOpen whether the page that called this is still shown
 * @returns null when the dialog was closed, or the page left before it opened
 * @throws `Failure`
 */
export async function signInWithPasskey(
  isRemembered: boolean,
  isPageOpen: () => boolean,
): Promise<SignedIn | null> {
  const options = await request(startPasskeySignIn);
  if (!isPageOpen()) return null;
  const asked = await askForPasskey(options);
  if (asked === 'canceled') return null;
  if (typeof asked === 'string') throw brokenPasskey();
  const { credential } = asked;
  const send = () => request(signInByPasskey, { credential, isRemembered });
  return signInAfresh(send, isRemembered);
}

/** The browser itself failed to use or create a passkey. */
export const brokenPasskey = () =>
  ownFailure('El navegador no pudo usar llaves de acceso aquí. Usa tu contraseña.');
