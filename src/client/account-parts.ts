/** One script of all that people with an account need on public pages. */
export { AccountEffects, ReadingTracker } from './account/account-effects.ts';
export { signOut } from './account/sign-out.ts';
export { ChannelEditor } from './channels/channel-editor.tsx';
export { ChannelTools } from './channels/channel-tools.tsx';
export { HeldItems } from './channels/held-items.tsx';
export { CommentTools } from './comments/comment-tools.tsx';
export { Composer } from './comments/composer.tsx';
export { HiddenChannel } from './comments/decisions-in-place.tsx';
export { UnsentComments } from './comments/unsent-comments.tsx';
export { StaffPanel } from './moderation/staff-panel.tsx';
export { MarkAllRead } from './news/mark-all-read.tsx';
export { NewsOnHome, RestrictionOnHome } from './news/news-on-home.tsx';
export { HiddenPerson } from './people/hidden-person.tsx';
export { PersonTools } from './people/person-tools.tsx';
export { DeletionOnHome } from './settings/pending-deletion.tsx';
