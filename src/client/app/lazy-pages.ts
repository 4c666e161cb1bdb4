import type { PageName } from '../../shared/pages.ts';
import { type LazyPart, lazyPart } from '../ui/loading/lazy-part.tsx';

/** Pages about one thing, whose id is in their address. */
export type SubjectPage = 'channel' | 'user';

/** The pages, each of which is a script of its own in the browser. */
export const lazyPages: Readonly<
  Record<Exclude<PageName, SubjectPage>, LazyPart<object>> &
    Record<SubjectPage, LazyPart<{ id: string }>>
> = {
  home: lazyPart(async () => (await import('../pages/home/home-page.tsx')).Home),
  channel: lazyPart(async () => (await import('../pages/channel/channel-page.tsx')).ChannelPage),
  user: lazyPart(async () => (await import('../pages/person/person-page.tsx')).PersonPage),
  search: lazyPart(async () => (await import('../pages/search/search-page.tsx')).SearchPage),
  calendar: lazyPart(
    async () => (await import('../pages/calendar/calendar-page.tsx')).CalendarPage,
  ),
  documents: lazyPart(
    async () => (await import('../pages/documents/documents-page.tsx')).DocumentsPage,
  ),
  login: lazyPart(async () => (await import('../pages/login-page.tsx')).Login),
  register: lazyPart(async () => (await import('../pages/register-page.tsx')).Register),
  create: lazyPart(async () => (await import('../pages/create-page.tsx')).Create),
  profile: lazyPart(async () => (await import('../pages/profile-page.tsx')).ProfilePage),
  notifications: lazyPart(
    async () => (await import('../pages/notifications/notifications-page.tsx')).NotificationsPage,
  ),
  settings: lazyPart(async () => (await import('../pages/settings-page.tsx')).SettingsPage),
  moderation: lazyPart(async () => (await import('../pages/moderation-page.tsx')).ModerationPage),
  members: lazyPart(async () => (await import('../pages/moderation-page.tsx')).ModerationPage),
  summary: lazyPart(async () => (await import('../pages/moderation-page.tsx')).ModerationPage),
  movingIn: lazyPart(async () => (await import('../pages/moving-in-page.tsx')).MovingInPage),
  siteSettings: lazyPart(
    async () => (await import('../pages/site-settings-page.tsx')).SiteSettingsPage,
  ),
  log: lazyPart(async () => (await import('../pages/log/log-page.tsx')).LogPage),
  rules: lazyPart(async () => (await import('../pages/rules/rules-page.tsx')).RulesPage),
  recover: lazyPart(async () => (await import('../pages/recover-page.tsx')).Recover),
  password: lazyPart(async () => (await import('../pages/new-password-page.tsx')).NewPassword),
  confirm: lazyPart(async () => (await import('../pages/confirm-page.tsx')).Confirm),
  'members-only': lazyPart(
    async () => (await import('../pages/members-only-page.tsx')).MembersOnly,
  ),
  'not-found': lazyPart(async () => (await import('../pages/not-found-page.tsx')).NotFound),
};

/** Preloads pages that people with an account may open. */
export function preloadPages(): void {
  const { home, user, search, create, profile, notifications, 'not-found': missing } = lazyPages;
  for (const page of [home, user, search, create, profile, notifications, missing]) {
    page.load().catch(() => {});
  }
}
