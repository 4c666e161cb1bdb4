import { pageRoutes } from './routes.ts';

export type PageName = keyof typeof pageRoutes | 'not-found';

/** Pages with a script of their own. */
export type LazyPage = Exclude<PageName, 'channel'>;

/** Pages without data from the server. */
export type FormPage = Exclude<LazyPage, 'home' | 'user' | 'search' | 'log' | 'not-found'>;

interface PageInfo {
  /** The server's route pattern; undefined for the page of unknown URLs. */
  path?: string;
  /** Precedes the site's name in the tab's title. Home has none; a channel's title is its name. */
  title?: string;
  /** True: signed-in users only; false: guests only; undefined: both. Others are redirected. */
  needsSignIn?: boolean;
}

export const pages: Readonly<Record<PageName, PageInfo>> = {
  home: { path: pageRoutes.home },
  channel: { path: pageRoutes.channel(':id') },
  user: { path: pageRoutes.user(':id') },
  search: { path: pageRoutes.search, title: 'Buscar' },
  login: { path: pageRoutes.login, title: 'Iniciar sesión', needsSignIn: false },
  register: { path: pageRoutes.register, title: 'Crear cuenta', needsSignIn: false },
  create: { path: pageRoutes.create, title: 'Crear Canal', needsSignIn: true },
  profile: { path: pageRoutes.profile, title: 'Perfil', needsSignIn: true },
  notifications: { path: pageRoutes.notifications, title: 'Avisos', needsSignIn: true },
  settings: { path: pageRoutes.settings, title: 'Ajustes', needsSignIn: true },
  recover: { path: pageRoutes.recover, title: 'Recuperar el acceso' },
  password: { path: pageRoutes.password, title: 'Contraseña nueva' },
  confirm: { path: pageRoutes.confirm, title: 'Confirmar el correo' },
  moderation: { path: pageRoutes.moderation, title: 'Moderación', needsSignIn: true },
  members: { path: pageRoutes.members, title: 'Miembros', needsSignIn: true },
  siteSettings: {
    path: pageRoutes.siteSettings,
    title: 'Ajustes de la comunidad',
    needsSignIn: true,
  },
  log: { path: pageRoutes.log, title: 'Registro de moderación' },
  rules: { path: pageRoutes.rules, title: 'Normas' },
  'not-found': { title: 'NotFound' },
};

/** Modules of the lazy pages in `src/client`. */
export const lazyPageModules: Readonly<Record<LazyPage, string>> = {
  home: 'pages/home/home-page.tsx',
  user: 'pages/person/person-page.tsx',
  search: 'pages/search/search-page.tsx',
  login: 'session/sign-in/login-page.tsx',
  register: 'session/sign-up/register-page.tsx',
  create: 'pages/create-page.tsx',
  profile: 'settings/profile/profile-page.tsx',
  notifications: 'pages/notifications/notifications-page.tsx',
  settings: 'settings/settings-page.tsx',
  moderation: 'moderation/queue/moderation-page.tsx',
  members: 'moderation/queue/moderation-page.tsx',
  siteSettings: 'moderation/site/site-settings-page.tsx',
  log: 'pages/log/log-page.tsx',
  rules: 'pages/rules/rules-page.tsx',
  recover: 'session/recovery/recover-page.tsx',
  password: 'session/passwords/new-password-page.tsx',
  confirm: 'settings/mail/confirm-page.tsx',
  'not-found': 'pages/not-found-page.tsx',
};

export const isLazyPage = (name: PageName): name is LazyPage => name in lazyPageModules;
