import type { ChannelOrder } from './channels.ts';
import type { SearchOrder } from './search.ts';

/** Keeps colons, which are valid in paths, so that `channel(':id')` gives the router's pattern. */
export const segment = (text: string) => encodeURIComponent(text).replaceAll('%3A', ':');

/** Id of the element that shows a comment on its channel's page. */
export const commentAnchor = (number: number) => `comentario-${number}`;

/** Id of the heading above the comments. */
export const commentsAnchor = 'comentarios';

/** Id of the heading above the contact on the rules page. */
export const contactAnchor = 'contacto';

/** Id of the area below the comments: the form or, for guests, the link to sign in. */
export const writeAnchor = 'escribir';

/** The paths of pages. Functions encode their arguments. */
export const pageRoutes = {
  home: '/',
  login: '/login',
  register: '/register',
  create: '/create',
  profile: '/profile',
  notifications: '/notifications',
  settings: '/settings',
  recover: '/recover',
  /** Links append the token after a `#`, which browsers do not send. */
  password: '/password',
  /** Links append the token after a `#`. */
  confirm: '/confirm',
  channel: (id: string) => `/channel/${segment(id)}`,
  user: (id: string) => `/user/${segment(id)}`,
  search: '/search',
  calendar: '/calendar',
  documents: '/documents',
  moderation: '/moderation',
  members: '/moderation/members',
  summary: '/moderation/summary',
  movingIn: '/moderation/import',
  siteSettings: '/moderation/settings',
  log: '/log',
  rules: '/rules',
} as const;

/** Matches the `#` of an address as programs that pass links on encode it, some of them twice. */
export const encodedHash = /%(?:25)*23/;

/** URL of a comment on its channel's page, which begins at least ten comments earlier. */
export function commentLink(channelId: string, number: number): string {
  return `${pageRoutes.channel(channelId)}?n=${number}#${commentAnchor(number)}`;
}

/** The link to a comment that begins a reply to it, for somebody who is signed in. */
export const replyLink = (channelId: string, number: number) =>
  `${pageRoutes.channel(channelId)}?n=${number}#responder-${number}`;

export const assetRoutes = {
  /** The bytes of a stored image. */
  file: (fullPath: string) => `/files/${encodePath(fullPath)}`,
  /** A variant (see image-variants.ts) of the image at this URL on the site, signed or not. */
  variant: (url: string, variant: string) => {
    const end = url.indexOf('?');
    return end < 0 ? `${url}/${variant}` : `${url.slice(0, end)}/${variant}${url.slice(end)}`;
  },
  /** A tile pattern drawn from a seed, as SVG. */
  azulejo: (seed: string) => `/azulejo/${segment(seed)}.svg`,
  /** The same pattern as a PNG in the shape of a cover. The seed has at most 64 letters, digits, `_` and `-`. */
  azulejoImage: (seed: string) => `/azulejo/${segment(seed)}.png`,
  /** The middle of the same pattern as a JPEG, in the size of a share card. The same seeds. */
  azulejoCard: (seed: string) => `/azulejo/${segment(seed)}.jpg`,
  defaultAvatar: '/default-avatar.svg',
  /** The next dates on a sheet to be printed, which the server draws without scripts of the app. */
  poster: '/poster',
} as const;

/** Appends the parameters that are neither null nor undefined, in order. */
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

/** URL of the home page in this order, after the cursor. The default order is omitted. */
export function homeUrl(order: ChannelOrder, after?: string | null): string {
  return withQuery(pageRoutes.home, { sort: order === 'comments' ? null : order, after });
}

/** URL of the calendar at a month such as `2027-03`, after a cursor; without a month at the present one. */
export const calendarUrl = (from: string | null, after?: string | null) =>
  withQuery(pageRoutes.calendar, { from, after });

/** URL of the list of files, whose names have `q` in them, of all channels or of one. */
export const documentsUrl = (list: {
  q?: string;
  channel?: string | undefined;
  after?: string | null;
}) =>
  withQuery(pageRoutes.documents, { q: list.q || null, channel: list.channel, after: list.after });

/** Maximum UTF-16 code units of a search field, so that its URL fits into a request's head. */
export const searchFieldChars = 800;

/** URL of the search page, to search all comments, one channel or one person's comments. */
export function searchUrl(search: {
  q?: string | undefined;
  channel?: string | undefined;
  author?: string | undefined;
  isExact?: boolean;
  sort?: SearchOrder | undefined;
  after?: string | null;
}): string {
  const { q, channel, author, isExact, sort, after } = search;
  return withQuery(pageRoutes.search, {
    q: q || null,
    channel,
    author,
    sort: sort === 'new' ? null : sort,
    exact: isExact ? 1 : null,
    after,
  });
}

/** Encodes each segment of a path. */
export function encodePath(fullPath: string): string {
  return fullPath.split('/').map(segment).join('/');
}
