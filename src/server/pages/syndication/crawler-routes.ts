import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import type { Readers } from '../../../shared/site-settings.ts';
import type { Database } from '../../database/tables.ts';
import type { App } from '../../http/app-type.ts';
import { CachedResponse, sendCachedResponse } from '../../http/cache/cached-response.ts';
import { cachedRoute, type ResponseCache } from '../../http/cache/response-cache.ts';
import type { Config } from '../../system/settings/config.ts';
import { originOf } from '../render-page.ts';
import {
  beforeAll,
  listSitemapChannels,
  type SitemapChannel,
  sitemapParts,
} from './sitemap-queries.ts';

const sitemapPath = '/sitemap.xml';
const schemaOfSitemaps = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Serves what search engines ask for first: which addresses they may read, and which there are. */
export function crawlerRoutes(
  app: App,
  services: {
    db: Database;
    responses: ResponseCache;
    config: Pick<Config, 'publicUrl'>;
    settings: () => Promise<{ readers: Readers }>;
  },
): void {
  const { db, responses, config, settings } = services;
  app.get('/robots.txt', { schema: { hide: true } }, async (_request, reply) => {
    const { readers } = await settings();
    const rules = readers === 'members' ? allowed : allowed + sitemapOfSite(config);
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, no-cache',
    };
    return sendCachedResponse(reply, new CachedResponse(rules, headers));
  });
  cachedRoute(app, responses, sitemapPath, {
    schema: {
      hide: true,
      querystring: Type.Object({
        after: Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$' })),
      }),
    },
    keyPrefix: (request: FastifyRequest) => originOf(request, config),
    read: (request) => {
      const { after } = request.query;
      return {
        url: withQuery(sitemapPath, { after }),
        load: () => sitemapOf(db, originOf(request, config), after),
      };
    },
    respond: (_reply, xml) =>
      new CachedResponse(xml, {
        'content-type': 'application/xml; charset=utf-8',
        'cache-control': 'public, no-cache',
      }),
  });
}

/**
 * Also where members alone read: a search engine forgets what it knew from before only when it may ask again, and finds
 * `noindex` or 401.
 */
const allowed = 'User-agent: *\nAllow: /\nDisallow: /api/\nDisallow: /search\n';

function sitemapOfSite({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl ? `Sitemap: ${publicUrl}${sitemapPath}\n` : '';
}

/** The sitemap of all channels, or an index of its parts if there are several; with `after`, one part. */
async function sitemapOf(db: Database, origin: string, after: string | undefined): Promise<string> {
  const parts = after === undefined ? await sitemapParts(db) : [after];
  const [first = beforeAll, ...more] = parts;
  if (more.length > 0) {
    const urls = parts.map((part) => [origin + withQuery(sitemapPath, { after: part })] as const);
    return xmlOf('sitemapindex', 'sitemap', urls);
  }
  const home: Address[] = first === beforeAll ? [[origin + pageRoutes.home]] : [];
  const channels = await listSitemapChannels(db, first);
  const addresses = channels.map(
    ({ id, changedAt }): Address => [origin + pageRoutes.channel(id), changedAt],
  );
  return xmlOf('urlset', 'url', [...home, ...addresses]);
}

type Address = readonly [url: string, changedAt?: SitemapChannel['changedAt']];

/** URLs of the site have no character that XML escapes. */
function xmlOf(list: string, item: string, addresses: Address[]): string {
  const items = addresses.map(([url, changedAt]) => {
    const modified = changedAt ? `<lastmod>${changedAt}</lastmod>` : '';
    return `<${item}><loc>${url}</loc>${modified}</${item}>\n`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<${list} xmlns="${schemaOfSitemaps}">\n${items.join('')}</${list}>\n`
  );
}
