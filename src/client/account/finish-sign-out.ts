import { accountTexts } from '../account-texts.ts';
import { showStatus } from '../components/status-bar.tsx';
import { sendLastPositions } from '../news/news.ts';
import { endToken, forgetBrowser } from '../session/remembered-browser.ts';
import { tellTabs } from '../session/tabs.ts';
import { deleteLocalFiles } from '../uploads/local-files.ts';

/**
 * Discards the account's files in this browser, says that the session has ended, and ends it on the server
 * and in other tabs.
 */
export async function finishSignOut(userId: string, token: string): Promise<void> {
  deleteLocalFiles(`${userId} `);
  showStatus({ text: accountTexts.signedOut });
  await sendLastPositions(token);
  await endToken(token);
  await forgetBrowser();
  tellTabs();
}
