import { sendLastPositions } from '../account/news.ts';
import { accountTexts } from '../account-texts.ts';
import { discardDraftFiles } from '../channels/channel-draft.ts';
import { showStatus } from '../components/status-bar.tsx';
import { endToken, forgetBrowser } from '../session/remembered-browser.ts';
import { tellTabs } from '../session/tabs.ts';
import { deleteLocalFiles } from '../uploads/local-files.ts';

export { AccountWork, NewsWork, ReadingWork } from '../account/account-work.ts';
export { Login } from '../account/login-page.tsx';
export { MarkAllRead } from '../account/mark-all-read.tsx';
export { NewPassword } from '../account/new-password-page.tsx';
export { ProfilePage } from '../account/profile-page.tsx';
export { Register } from '../account/register-page.tsx';
/**
 * Everything that needs an account, or opens one, in a script of its own: most visitors only read
 * and never load it.
 */
export { ChannelEditor } from '../channels/channel-editor.tsx';
export { ChannelTools } from '../channels/channel-tools.tsx';
export { Create } from '../channels/create-page.tsx';
export { CommentEditor } from '../comments/comment-editor.tsx';
export { CommentForm } from '../comments/comment-form.tsx';
export { CommentTools } from '../comments/comment-tools.tsx';
export { UnsentComments } from '../comments/unsent-comments.tsx';

/**
 * Discards what another user of the browser must not find, confirms that the session ended, and ends
 * it on the server.
 */
export async function endAccount(userId: string, token: string): Promise<void> {
  discardDraftFiles(userId);
  deleteLocalFiles(`${userId} `);
  showStatus({ text: accountTexts.signedOut });
  await sendLastPositions(token);
  await endToken(token);
  await forgetBrowser();
  tellTabs();
}
