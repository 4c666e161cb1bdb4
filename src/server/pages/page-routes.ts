import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { PageData } from '../../shared/page-data.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { App } from '../http/app-type.ts';
import { azulejo } from './azulejo.ts';
import { channelData, homeData } from './page-data.ts';

const querystring = Type.Object({ after: Type.Optional(Type.String()) });
const hide = { hide: true };

/** Sends a page for this address with this data. */
export type SendPage = (reply: FastifyReply, pageData: PageData) => FastifyReply;

export function pageSender({ config, renderPage }: Deps): SendPage {
  const site = { socialLinks: config.socialLinks, maxImageMb: config.maxImageMb };
  return (reply, pageData) => {
    const { request } = reply;
    const path = request.url.split('?', 1)[0] ?? '/';
    const origin = config.publicUrl ?? `${request.protocol}://${request.host}`;
    const page = renderPage({ path, pageData, site }, origin);
    return reply
      .code(pageData.page === 'not-found' ? 404 : 200)
      .headers({
        'content-security-policy': page.contentSecurityPolicy,
        'cache-control': 'public, no-cache',
      })
      .type('text/html; charset=utf-8')
      .send(page.html);
  };
}

export function pageRoutesOf(app: App, { db }: Deps, sendPage: SendPage): void {
  const notFound: PageData = { page: 'not-found' };

  /** A cursor that leads nowhere is an address that does not exist. */
  async function pageOrNotFound(reply: FastifyReply, load: () => Promise<PageData | undefined>) {
    try {
      return sendPage(reply, (await load()) ?? notFound);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_cursor') {
        return sendPage(reply, notFound);
      }
      throw error;
    }
  }

  app.get(pageRoutes.home, { schema: { ...hide, querystring } }, (request, reply) =>
    pageOrNotFound(reply, () => homeData(db, request.query.after)),
  );
  app.get(
    pageRoutes.channel(':id'),
    { schema: { ...hide, params: Type.Object({ id: Type.String() }), querystring } },
    (request, reply) =>
      pageOrNotFound(reply, () => channelData(db, request.params.id, request.query.after)),
  );
  for (const page of ['login', 'register', 'create', 'profile'] as const) {
    app.get(pageRoutes[page], { schema: hide }, (_request, reply) => sendPage(reply, { page }));
  }

  app.get(
    assetRoutes.azulejo(':seed'),
    { schema: hide },
    (request: FastifyRequest<{ Params: { seed: string } }>, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('image/svg+xml')
        .send(azulejo(request.params.seed)),
  );
}
