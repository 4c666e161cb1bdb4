import type { FastifyRequest } from 'fastify';
import { parseCommentNumber } from '../../shared/comment-range.ts';
import type { PageData } from '../../shared/page-data.ts';
import type { PageName } from '../../shared/pages.ts';
import { CachedResponse } from '../cache/cached-response.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { requireHost } from '../http/request-host.ts';
import type { LiveBus } from '../live/bus/live-bus.ts';
import { rememberedSettings } from '../site-settings/site-settings.ts';
import type { PageRenderer } from './render-page.ts';

/**
 * Browsers revalidate each time. A shared cache can serve a page for one second, and for half a minute more
 * while it revalidates: the script updates an older page in the browser.
 */
const pageCacheControl = 'public, max-age=0, s-maxage=1, stale-while-revalidate=30';

const uncached: PageName[] = ['not-found', 'search'];

/** Renders the page of a request's URL from its data. */
export type MakePage = (request: FastifyRequest, pageData: PageData) => Promise<CachedResponse>;

export function pageMaker({
  db,
  live,
  config,
  renderPage,
}: {
  db: Database;
  live: LiveBus;
  config: Pick<Config, 'publicUrl' | 'socialLinks' | 'maxImageMb' | 'contact'>;
  renderPage: PageRenderer;
}): MakePage {
  const settings = rememberedSettings(db, live, config);
  return async (request, pageData) => {
    const { name, welcome, registration, holdsFirstPosts, rules, contact, links } =
      await settings();
    const path = pathOf(request);
    const { n } = request.query as { n?: string };
    const commentNumber = pageData.page === 'channel' ? parseCommentNumber(n) : undefined;
    const isShown = pageData.page === 'recover' || pageData.page === 'rules';
    const site = {
      ...{ name, welcome, registration, timesForms: holdsFirstPosts },
      ...{ socialLinks: links, maxImageMb: config.maxImageMb },
      ...(pageData.page === 'rules' && { rules }),
      ...(isShown && { contact: contact || null }),
    };
    const page = renderPage({ path, pageData, commentNumber, site }, originOf(request, config));
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page.contentSecurityPolicy,
      'cache-control': uncached.includes(pageData.page) ? 'no-store' : pageCacheControl,
    };
    return new CachedResponse(page.html, headers);
  };
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/** Returns the site's origin. Without `PUBLIC_URL` it is plain http, because the server has no TLS. */
export function originOf(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>) {
  return publicUrl ?? `http://${requireHost(request)}`;
}
