import '../ui/styles/base.css';
import { renderToString } from 'react-dom/server';
import type { RenderPage } from '../../shared/page-data.ts';
import { ModerationPage } from '../moderation/queue/moderation-page.tsx';
import { SiteSettingsPage } from '../moderation/site/site-settings-page.tsx';
import { Create } from '../pages/create-page.tsx';
import { Home } from '../pages/home/home-page.tsx';
import { LogPage } from '../pages/log/log-page.tsx';
import { NotFound } from '../pages/not-found-page.tsx';
import { NotificationsPage } from '../pages/notifications/notifications-page.tsx';
import { PersonPage } from '../pages/person/person-page.tsx';
import { RulesPage } from '../pages/rules/rules-page.tsx';
import { SearchPage } from '../pages/search/search-page.tsx';
import { NewPassword } from '../session/passwords/new-password-page.tsx';
import { Recover } from '../session/recovery/recover-page.tsx';
import { Login } from '../session/sign-in/login-page.tsx';
import { Register } from '../session/sign-up/register-page.tsx';
import { Confirm } from '../settings/mail/confirm-page.tsx';
import { ProfilePage } from '../settings/profile/profile-page.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';
import { initialState } from '../state/state.ts';
import { App, type LazyPages } from './app.tsx';
import { pageHead, subjectOf } from './page-head.ts';
import { currentPage } from './router/current-page.ts';
import { servedWith } from './served-queries.ts';

/** Imported statically, not from `app/router/lazy-pages.ts`, since `renderToString` does not wait for scripts. */
const lazyPages: LazyPages = {
  home: Home,
  user: PersonPage,
  search: SearchPage,
  login: Login,
  register: Register,
  create: Create,
  profile: ProfilePage,
  notifications: NotificationsPage,
  settings: SettingsPage,
  recover: Recover,
  password: NewPassword,
  confirm: Confirm,
  moderation: ModerationPage,
  members: ModerationPage,
  siteSettings: SiteSettingsPage,
  log: LogPage,
  rules: RulesPage,
  'not-found': NotFound,
};

/** Renders a page as a guest sees it. */
export const render: RenderPage = ({ path, pageData, commentNumber, site }) => {
  const state = initialState(path, pageData);
  const page = currentPage(path, state.missingAddress === path);
  const served = servedWith(pageData, site);
  const app = { initialState: state, site, lazyPages, served, ssrPath: path };
  return {
    head: pageHead(page, subjectOf(pageData, commentNumber), site),
    html: renderToString(<App {...app} />),
  };
};
