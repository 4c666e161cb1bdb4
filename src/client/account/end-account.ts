import { accountTexts } from '../account-texts.ts';
import { showStatus } from '../components/status-bar.tsx';
import { endToken, forgetBrowser } from '../session/remembered-browser.ts';
import { tellTabs } from '../session/tabs.ts';
import { deleteLocalFiles } from '../uploads/local-files.ts';
import { sendLastPositions } from './news.ts';

/**
 * Discards what another user of the browser must not find, confirms that the session ended, and ends
 * it on the server.
 */
export async function endAccount(userId: string, token: string): Promise<void> {
  deleteLocalFiles(`${userId} `);
  showStatus({ text: accountTexts.signedOut });
  await sendLastPositions(token);
  await endToken(token);
  await forgetBrowser();
  tellTabs();
}
