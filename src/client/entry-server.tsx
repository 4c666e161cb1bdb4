import './base.css';
import { renderToString } from 'react-dom/server';
import type { RenderPage } from '../shared/page-data.ts';
import { Login } from './account/login-page.tsx';
import { NewPassword } from './account/new-password-page.tsx';
import { ProfilePage } from './account/profile-page.tsx';
import { Register } from './account/register-page.tsx';
import { App, type LazyPages } from './app.tsx';
import { Create } from './channels/create-page.tsx';
import { Home } from './channels/home-page.tsx';
import { LogPage } from './moderation/log-page.tsx';
import { NoticesPage } from './news/notices-page.tsx';
import { PersonPage } from './people/person-page.tsx';
import { ModerationPage } from './queue/moderation-page.tsx';
import { RulesPage } from './rules/rules-page.tsx';
import { SearchPage } from './search/search-page.tsx';
import { servedWith } from './served-queries.ts';
import { Confirm } from './settings/mail/confirm-page.tsx';
import { Recover } from './settings/recovery/recover-page.tsx';
import { SettingsPage } from './settings/settings-page.tsx';
import { currentPage } from './shell/current-page.ts';
import { NotFound } from './shell/not-found-page.tsx';
import { pageHead, subjectOf } from './shell/page-head.ts';
import { SiteSettingsPage } from './site-settings/site-settings-page.tsx';
import { initialState } from './state/state.ts';

/** Imported here, not from `shell/lazy-pages.ts`, since `renderToString` does not wait for scripts. */
const lazyPages: LazyPages = {
  home: Home,
  user: PersonPage,
  search: SearchPage,
  login: Login,
  register: Register,
  create: Create,
  profile: ProfilePage,
  notifications: NoticesPage,
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
