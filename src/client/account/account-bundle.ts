import type { Dispatch } from 'react';
import { startOutbox } from '../comments/send-outbox.ts';
import type { Action } from '../state/actions.ts';
import { setSessionLostHandler } from './account-call.ts';
import { loseSession } from './use-session.ts';

/**
 * Everything that needs an account, or opens one, in a script of its own: most visitors only read
 * and never load it.
 */
export { discardDraftFiles } from '../channels/channel-draft.ts';
export { Create } from '../channels/create-page.tsx';
export { CommentForm } from '../comments/comment-form.tsx';
export { UnsentComments } from '../comments/unsent-comments.tsx';
export { Login } from './login-page.tsx';
export { NewPassword } from './new-password-page.tsx';
export { ProfilePage } from './profile-page.tsx';
export { Register } from './register-page.tsx';

/** Runs the background work of a signed-in account until `signal` is aborted. */
export function startAccount(
  userId: string,
  dispatch: Dispatch<Action>,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  setSessionLostHandler(() => loseSession(dispatch));
  signal.addEventListener('abort', startOutbox(userId, dispatch));
}
