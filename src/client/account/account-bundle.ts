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
export { startAccount } from './start-account.ts';
