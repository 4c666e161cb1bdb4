import type { SignedIn } from '../../shared/accounts.ts';
import { orFailure } from '../api/failures.ts';
import { discardRemembered, setRemembered, unmarkSigningOut } from '../storage/session.ts';
import { endPush } from './end-push.ts';
import { endRememberedBrowser } from './remembered-browser.ts';
import { tellTabs } from './tabs.ts';

/**
 * Signs in through `send`. Ends the previous remembered session and its push messages first, so that neither becomes the
 * new account's.
 * @param isRemembered whether the browser stays signed in; `send` must request this from the server
 * @throws `Failure`
 */
export async function signInAfresh(
  send: () => Promise<SignedIn>,
  isRemembered: boolean,
): Promise<SignedIn> {
  discardRemembered();
  try {
    await endPush().catch(() => {});
    const failure = await orFailure(endRememberedBrowser());
    // At an address that is not the site's own, the server refuses this call, but remembers nobody there either.
    if (failure && !failure.isRefused) throw failure;
    unmarkSigningOut();
    const signedIn = await send();
    if (isRemembered) setRemembered(signedIn.user.id);
    return signedIn;
  } finally {
    tellTabs();
  }
}
