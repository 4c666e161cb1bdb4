import { api } from '../api/api.ts';
import { discardDraftFiles } from '../channels/channel-draft.ts';
import { showStatus } from '../shell/status-bar.tsx';
import { deleteLocalFiles } from '../uploads/local-files.ts';
import { accountTexts } from './account-texts.ts';
import { sendLastPositions } from './news.ts';
import { forgetBrowser } from './resume.ts';
import { tellTabs } from './tabs.ts';

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
export { AccountWork, NewsWork, ReadingWork } from './account-work.ts';
export { Login } from './login-page.tsx';
export { MarkAllRead } from './mark-all-read.tsx';
export { NewPassword } from './new-password-page.tsx';
export { ProfilePage } from './profile-page.tsx';
export { Register } from './register-page.tsx';

/**
 * Discards what another user of the browser must not find, confirms that the session ended, and ends
 * it on the server.
 */
export async function endAccount(userId: string, token: string): Promise<void> {
  discardDraftFiles(userId);
  deleteLocalFiles(`${userId} `);
  showStatus({ text: accountTexts.signedOut });
  await sendLastPositions(token);
  await api.signOut(token);
  await forgetBrowser();
  tellTabs();
}
