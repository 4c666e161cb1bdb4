/**
 * What only whoever signs in or has signed in gets to see. Most readers never do, so it is one
 * script of its own, loaded when it is wanted.
 */
export { forgetDraftFiles } from '../channels/channel-draft.ts';
export { Create } from '../channels/create-page.tsx';
export { CommentForm } from '../comments/comment-form.tsx';
export { LeftComments } from '../comments/left-comments.tsx';
export { Login } from './login-page.tsx';
export { NewPassword } from './new-password-page.tsx';
export { ProfilePage } from './profile-page.tsx';
export { Register } from './register-page.tsx';
export { startAccount } from './start-account.ts';
