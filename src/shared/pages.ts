import { pageRoutes } from './routes.ts';

export type PageName = keyof typeof pageRoutes | 'not-found';

interface PageInfo {
  /** The pattern that the server routes; undefined for the page that unknown addresses get. */
  path?: string;
  /** Precedes the site's name in the tab. Home has none; a channel's is its name. */
  title?: string;
  /** The script it needs, besides the entry, before it can hydrate. */
  bundle?: 'account';
  /** True: only for signed-in users; false: only for guests; undefined: for both. Others are sent home. */
  needsSignIn?: boolean;
}

/** Every page of the site. */
export const pages: Readonly<Record<PageName, PageInfo>> = {
  home: { path: pageRoutes.home },
  channel: { path: pageRoutes.channel(':id') },
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
  password: { path: pageRoutes.password, title: 'Contraseña nueva', bundle: 'account' },
  'not-found': { title: 'NotFound' },
};

/** Pages that show no data of the server. */
export type FormPage = Exclude<PageName, 'home' | 'channel' | 'not-found'>;
