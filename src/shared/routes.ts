/** A colon may stand in a path; left as it is, `channel(':id')` is the router's pattern. */
const segment = (text: string) => encodeURIComponent(text).replaceAll('%3A', ':');

/** Every address of the site, once. Builders encode what they are given. */
export const pageRoutes = {
  home: '/',
  login: '/login',
  register: '/register',
  create: '/create',
  profile: '/profile',
  /** The link's token comes after a `#`, which browsers do not send. */
  password: '/password',
  channel: (id: string) => `/channel/${segment(id)}`,
} as const;

export const apiRoutes = {
  channels: '/api/channels',
  channel: (id: string) => `/api/channels/${segment(id)}`,
  channelComments: (id: string) => `/api/channels/${segment(id)}/comments`,
  channelLive: (id: string) => `/api/channels/${segment(id)}/live`,
  comment: '/api/channels/comment',
  signUp: '/api/auth/sign-up',
  signIn: '/api/auth/sign-in',
  signOut: '/api/auth/sign-out',
  setPassword: '/api/auth/password',
  me: '/api/user/me',
  updateImage: '/api/user/update-img',
  uploads: '/api/uploads',
  upload: (id: string) => `/api/uploads/${segment(id)}`,
  /** Metadata of a stored image; `fullPath` is `images/<file name>`. */
  storedFile: (fullPath: string) => `/api/files/${encodePath(fullPath)}`,
} as const;

export const assetRoutes = {
  /** The bytes of a stored image. */
  file: (fullPath: string) => `/files/${encodePath(fullPath)}`,
  /** A variant (see image-variants.ts) of the image at this URL of the site. */
  variant: (url: string, variant: string) => `${url}/${variant}`,
  /** A tile pattern drawn from a seed, as SVG. */
  azulejo: (seed: string) => `/azulejo/${segment(seed)}.svg`,
  defaultAvatar: '/default-avatar.svg',
} as const;

/** The address with these parameters, in their order; those that are nothing are left out. */
export function withQuery(
  path: string,
  parameters: Record<string, string | number | null | undefined>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value != null) search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Keeps the slashes between the segments of a stored file's path. */
function encodePath(fullPath: string): string {
  return fullPath.split('/').map(segment).join('/');
}
