/**
 * What only whoever signs in or has signed in gets to see. Most readers never do, so it is one
 * script of its own, loaded when it is wanted.
 */
export { forgetDraftFiles } from './channel-draft.ts';
export { CommentForm } from './components/comment-form.tsx';
export { LeftComments } from './components/left-comments.tsx';
export { Create } from './routes/create.tsx';
export { Login } from './routes/login.tsx';
export { NewPassword } from './routes/new-password.tsx';
export { ProfilePage } from './routes/profile.tsx';
export { Register } from './routes/register.tsx';
export { startAccount } from './start-account.ts';
