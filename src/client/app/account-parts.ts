/** One script with every part of public pages that people with an account need. */

export { queryClientOf, withQueries } from '../api/with-queries.tsx';
export { Composer } from '../conversation/composer/composer.tsx';
export { UnsentComments } from '../conversation/composer/unsent-comments.tsx';
export { OwnAnswers } from '../conversation/events/own-answers.tsx';
export { OwnMarks } from '../conversation/list/own-marks.tsx';
export { refetchDecisions, refetchPending } from '../conversation/live/refetch-own.ts';
export { HiddenChannel } from '../own-decisions/restriction-messages.tsx';
export { ChannelSkips } from '../pages/channel/channel-skips.tsx';
export { ChannelTools, LevelMark } from '../pages/channel/channel-tools.tsx';
export { ConfirmEmailOnHome } from '../pages/home/confirm-email-on-home.tsx';
export { MarkAllRead } from '../pages/home/mark-all-read.tsx';
export { NewsOnCard } from '../pages/home/news-on-card.tsx';
export { NewsOnHome, RestrictionNote } from '../pages/home/news-on-home.tsx';
export { signOut } from '../session/sign-out.ts';
export { DeletionOnHome } from '../settings/privacy/scheduled-deletion.tsx';
export { AccountEffects, ReadingTracker } from './account-effects.ts';
