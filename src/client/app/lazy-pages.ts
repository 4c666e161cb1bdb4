import type { LazyPage } from '../../shared/pages.ts';
import { type LazyPart, lazyPart } from '../ui/loading/lazy-part.tsx';

/** Pages that load as separate scripts in the browser: all except channels. */
export const lazyPages: Readonly<
  Record<Exclude<LazyPage, 'user'>, LazyPart<object>> & { user: LazyPart<{ id: string }> }
> = {
  home: lazyPart(async () => (await import('../pages/home/home-page.tsx')).Home),
  user: lazyPart(async () => (await import('../pages/person/person-page.tsx')).PersonPage),
  search: lazyPart(async () => (await import('../pages/search/search-page.tsx')).SearchPage),
  calendar: lazyPart(
    async () => (await import('../pages/calendar/calendar-page.tsx')).CalendarPage,
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
