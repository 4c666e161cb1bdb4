import type { pageRoutes } from './routes.ts';

export type PageName = keyof typeof pageRoutes | 'not-found' | 'members-only';

/** Pages without data from the server. */
export type FormPage = Exclude<
  PageName,
  | 'home'
  | 'channel'
  | 'user'
  | 'search'
  | 'calendar'
  | 'documents'
  | 'log'
  | 'not-found'
  | 'members-only'
>;

interface PageInfo {
  /** Precedes the site's name in the tab's title. Home has none; a channel's title is its name. */
  title?: string;
  /** True: signed-in users only; false: guests only; undefined: both. Others are redirected. */
  needsSignIn?: boolean;
  /** The page's module in `src/client`. */
  module: string;
}

export const pages: Readonly<Record<PageName, PageInfo>> = {
  home: { module: 'pages/home/home-page.tsx' },
  channel: { module: 'pages/channel/channel-page.tsx' },
  user: { module: 'pages/person/person-page.tsx' },
  search: { module: 'pages/search/search-page.tsx', title: 'Buscar' },
  calendar: { module: 'pages/calendar/calendar-page.tsx', title: 'Agenda' },
  documents: { module: 'pages/documents/documents-page.tsx', title: 'Documentos' },
  login: {
    module: 'pages/login-page.tsx',
    title: 'Iniciar sesión',
    needsSignIn: false,
  },
  register: {
    module: 'pages/register-page.tsx',
    title: 'Crear cuenta',
    needsSignIn: false,
  },
  create: { module: 'pages/create-page.tsx', title: 'Crear Canal', needsSignIn: true },
  profile: { module: 'pages/profile-page.tsx', title: 'Perfil', needsSignIn: true },
  notifications: {
    module: 'pages/notifications/notifications-page.tsx',
    title: 'Avisos',
    needsSignIn: true,
  },
  settings: { module: 'pages/settings-page.tsx', title: 'Ajustes', needsSignIn: true },
  recover: { module: 'pages/recover-page.tsx', title: 'Recuperar el acceso' },
  password: { module: 'pages/new-password-page.tsx', title: 'Contraseña nueva' },
  confirm: { module: 'pages/confirm-page.tsx', title: 'Confirmar el correo' },
  moderation: {
    module: 'pages/moderation-page.tsx',
    title: 'Moderación',
    needsSignIn: true,
  },
  members: {
    module: 'pages/moderation-page.tsx',
    title: 'Miembros',
    needsSignIn: true,
  },
  summary: {
    module: 'pages/moderation-page.tsx',
    title: 'Cómo va',
    needsSignIn: true,
  },
  movingIn: {
    module: 'pages/moving-in-page.tsx',
    title: 'Traer un grupo',
    needsSignIn: true,
  },
  siteSettings: {
    module: 'pages/site-settings-page.tsx',
    title: 'Ajustes de la comunidad',
    needsSignIn: true,
  },
  log: { module: 'pages/log/log-page.tsx', title: 'Registro de moderación' },
  rules: { module: 'pages/rules/rules-page.tsx', title: 'Normas' },
  'members-only': { module: 'pages/members-only-page.tsx' },
  'not-found': { module: 'pages/not-found-page.tsx', title: 'NotFound' },
};

const withData: PageName[] = [
  'home',
  'channel',
  'user',
  'search',
  'calendar',
  'documents',
  'log',
  'not-found',
  'members-only',
];

/** Whether the page shows no data of members, so that guests see it even where only members read. */
export const isFormPage = (name: PageName): name is FormPage => !withData.includes(name);
