import type { Dispatch } from 'react';
import { api } from '../api/api.ts';
import { discardDraftFiles } from '../channels/channel-draft.ts';
import { startOutbox } from '../comments/send-outbox.ts';
import { preloadStatusBar, showStatus } from '../shell/status-bar.tsx';
import type { Action } from '../state/actions.ts';
import { deleteLocalFiles } from '../uploads/local-files.ts';
import { setSessionLostHandler } from './account-call.ts';
import { accountTexts } from './account-texts.ts';
import { sendLastPositions, startSendingPositions } from './news.ts';
import { loseSession } from './use-session.ts';

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
export { Login } from './login-page.tsx';
export { MarkAllRead } from './mark-all-read.tsx';
export { NewPassword } from './new-password-page.tsx';
export { followNews, markRead } from './news.ts';
export { ProfilePage } from './profile-page.tsx';
export { Register } from './register-page.tsx';
export { trackReading } from './track-reading.ts';

/** Runs the background work of a signed-in account until `signal` is aborted. */
export function startAccount(
  userId: string,
  dispatch: Dispatch<Action>,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  preloadStatusBar();
  setSessionLostHandler(() => loseSession(dispatch));
  signal.addEventListener('abort', startOutbox(userId, dispatch));
  signal.addEventListener('abort', startSendingPositions());
}

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
}
