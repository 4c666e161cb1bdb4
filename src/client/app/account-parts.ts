/** One script with every part of public pages that people with an account need. */

export { Composer } from '../conversation/composer/composer.tsx';
export { UnsentComments } from '../conversation/composer/unsent-comments.tsx';
export { CommentTools } from '../conversation/item/comment-tools.tsx';
export { OwnMarks } from '../conversation/list/own-marks.tsx';
export { HiddenChannel } from '../moderation/decisions/restriction-messages.tsx';
export { StaffPanel } from '../moderation/staff-panel.tsx';
export { ChannelEditor } from '../pages/channel/channel-editor.tsx';
export { ChannelSkips } from '../pages/channel/channel-skips.tsx';
export { ChannelTools, LevelMark } from '../pages/channel/channel-tools.tsx';
export { PendingItems } from '../pages/channel/pending-items.tsx';
export { MarkAllRead } from '../pages/home/mark-all-read.tsx';
export { NewsOnHome, RestrictionNote } from '../pages/home/news-on-home.tsx';
export { HiddenPerson } from '../pages/person/hidden-person.tsx';
export { PersonTools } from '../pages/person/person-tools.tsx';
export { signOut } from '../session/sign-out.ts';
export { DeletionOnHome } from '../settings/privacy/scheduled-deletion.tsx';
export { AccountEffects, ReadingTracker } from './account-effects.ts';
