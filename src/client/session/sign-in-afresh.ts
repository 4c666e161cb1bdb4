import type { SignedIn } from '../../shared/accounts.ts';
import { orFailure } from '../api/failures.ts';
import { forgetRemembered, setRemembered } from '../storage/session.ts';
import { forgetBrowser } from './remembered-browser.ts';
import { tellTabs } from './tabs.ts';

/**
 * Signs in by `send`. Whoever was remembered before is forgotten first, so that nobody comes back as
 * somebody else.
 * @param isRemembered whether the browser stays signed in, for which `send` asks the server
 * @throws `Failure`
 */
export async function signInAfresh(
  send: () => Promise<SignedIn>,
  isRemembered: boolean,
): Promise<SignedIn> {
  forgetRemembered();
  try {
    const failure = await orFailure(forgetBrowser());
    // A site under an address that is not its own refuses to forget, but remembers nobody either.
    if (failure && !failure.isRefused) throw failure;
    const signedIn = await send();
    if (isRemembered) setRemembered(signedIn.user.id);
    return signedIn;
  } finally {
    tellTabs();
  }
}
