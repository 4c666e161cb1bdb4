import type { SignedIn } from '../../shared/accounts.ts';
import { isRefused, type Result } from '../api/failures.ts';
import { forgetRemembered, setRemembered } from '../storage/session.ts';
import { forgetBrowser } from './resume.ts';
import { tellTabs } from './tabs.ts';

/**
 * Signs in by `send`. Whoever was remembered before is forgotten first, so that nobody comes back as
 * somebody else.
 * @param isRemembered whether the browser stays signed in, for which `send` asks the server
 */
export async function signInAfresh(
  send: () => Promise<Result<SignedIn>>,
  isRemembered: boolean,
): Promise<Result<SignedIn>> {
  forgetRemembered();
  const forgotten = await forgetBrowser();
  // A site under an address that is not its own refuses to forget, but remembers nobody either.
  const result = forgotten.ok || isRefused(forgotten) ? await send() : forgotten;
  if (result.ok && isRemembered) setRemembered(result.value.user.id);
  tellTabs();
  return result;
}
