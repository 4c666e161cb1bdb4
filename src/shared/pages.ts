import { pageRoutes } from './routes.ts';

export type PageName = keyof typeof pageRoutes | 'not-found';

/** A client script besides the entry. */
export type BundleName = 'home' | 'channel' | 'person' | 'search' | 'late' | 'account' | 'settings';

interface PageInfo {
  /** The server's route pattern; undefined for the page of unknown addresses. */
  path?: string;
  /** Precedes the site's name in the tab's title. Home has none; a channel's is its name. */
  title?: string;
  /** The script that hydration needs besides the entry, named in the page's HTML. */
  bundle?: BundleName;
  /** True: signed-in users only; false: guests only; undefined: both. Others are redirected to home. */
  needsSignIn?: boolean;
}

export const pages: Readonly<Record<PageName, PageInfo>> = {
  home: { path: pageRoutes.home, bundle: 'home' },
  channel: { path: pageRoutes.channel(':id'), bundle: 'channel' },
  user: { path: pageRoutes.user(':id'), bundle: 'person' },
  search: { path: pageRoutes.search, title: 'Buscar', bundle: 'search' },
  login: {
    path: pageRoutes.login,
    title: 'Iniciar sesión',
    bundle: 'account',
    needsSignIn: false,
  },
  register: {
    path: pageRoutes.register,
    title: 'Crear cuenta',
    bundle: 'account',
    needsSignIn: false,
  },
  create: { path: pageRoutes.create, title: 'Crear Canal', bundle: 'account', needsSignIn: true },
  profile: { path: pageRoutes.profile, title: 'Perfil', bundle: 'account', needsSignIn: true },
  settings: {
    path: pageRoutes.settings,
    title: 'Ajustes',
    bundle: 'settings',
    needsSignIn: true,
  },
  recover: { path: pageRoutes.recover, title: 'Recuperar el acceso', bundle: 'settings' },
  password: { path: pageRoutes.password, title: 'Contraseña nueva', bundle: 'account' },
  'not-found': { title: 'NotFound', bundle: 'home' },
};

/**
 * Scripts whose styles are inlined in every page, because a page can show their parts before the script
 * runs or after a click. The pages of the account bundle contain its styles too.
 */
export const bundlesOfInlinedStyles = [
  'entry-client',
  'late-bundle',
  'home-bundle',
  'channel-bundle',
  'person-bundle',
  'search-bundle',
];

/** Pages without data from the server. */
export type FormPage = Exclude<PageName, 'home' | 'channel' | 'user' | 'search' | 'not-found'>;
