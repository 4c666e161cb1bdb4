import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Resume, SignedIn } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { isSiteOrigin } from '../../http/site-origin.ts';
import type { Config } from '../../system/settings/config.ts';
import { browserName } from './browser-name.ts';
import { endDevices, findDevice } from './devices.ts';
import { openReading } from './reading-gate.ts';
import type { SessionServices } from './session-guard.ts';
import { resumeSession } from './sessions.ts';
import { deviceCookie, readerCookie } from './site-cookies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Disables CORS headers, whatever CORS_ORIGINS says. */
    cors?: false;
  }
}

interface ResumeServices extends SessionServices {
  withTransaction: WithTransaction;
  config: Pick<Config, 'sessionDays' | 'publicUrl'>;
}

/**
 * Maximum number of cookies examined per request. Additional ones can only come from other sites of the same domain.
 */
const maxCookies = 10;
const tags = ['accounts'];
const security = [{ rememberedBrowser: [] }];
/** Refuses sites in CORS_ORIGINS as well: the cookie is for the forum's own pages. */
const config = { cors: false } as const;

/** Routes that open sessions for remembered browsers, and that end remembered browsers. */
export function resumeRoutes(app: App, services: ResumeServices): void {
  const { db, now } = services;
  const { publicUrl, sessionDays } = services.config;

  const requireOwnOrigin = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'private, no-store');
    if (!isSiteOrigin(request, publicUrl)) throw new ApiError('other_origin');
  };
  // An HTML form on another site cannot send JSON.
  const requireJson = async (request: FastifyRequest) => {
    const isJson = /^application\/json(?:;|$)/i.test(request.headers['content-type'] ?? '');
    if (!isJson) throw new ApiError('unsupported_media_type');
  };

  const resume = async (request: FastifyRequest, values: string[], notedId: string) => {
    // A second cookie may come from another site of the same domain and belong to another account.
    const [value, another] = values;
    if (value === undefined || another !== undefined) return undefined;
    const accountId = (await findDevice(db, value, now()))?.accountId;
    if (accountId === undefined) return undefined;
    // An only cookie may come from there too. It stays: somebody may just have signed in in another tab.
    if (accountId !== notedId) throw new ApiError('not_remembered');
    const browser = browserName(request.headers['user-agent']);
    const resumed = await services.withTransaction(`account ${accountId}`, (trx) =>
      resumeSession(trx, { value, accountId, browser }, now(), sessionDays),
    );
    return resumed && { ...resumed, value };
  };

  app.post(
    apiRoutes.resume,
    {
      config,
      onRequest: [requireOwnOrigin, requireJson],
      schema: {
        tags,
        security,
        summary: 'Abrir otra sesión en un navegador que mantiene la suya',
        description:
          'Solo desde las páginas del propio foro, con la cookie de `POST sign-in`. `accountId` es la cuenta que el navegador anotó al entrar: la cookie de otra no abre nada.',
        body: Resume,
        response: { 200: SignedIn, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const cookie = deviceCookie(request, publicUrl);
      const resumed = cookie && (await resume(request, cookie.values, request.body.accountId));
      if (!resumed) {
        cookie?.clear(reply);
        throw new ApiError('not_remembered');
      }
      const { token, user, value, maxAgeMs } = resumed;
      cookie.set(reply, value, maxAgeMs);
      await openReading(services, request, reply, token);
      return { token, user };
    },
  );

  app.delete(
    apiRoutes.resume,
    {
      config,
      onRequest: requireOwnOrigin,
      schema: {
        tags,
        security,
        summary: 'Dejar de mantener la sesión en este navegador, y cerrar las que abrió',
        description: 'Solo desde las páginas del propio foro.',
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const cookie = deviceCookie(request, publicUrl);
      for (const value of cookie?.values.slice(0, maxCookies) ?? []) {
        const device = await findDevice(db, value, now());
        if (!device) continue;
        const { accountId } = device;
        await services.withTransaction(`account ${accountId}`, async (trx, announce) => {
          await endDevices(trx, [device.id]);
          await announce({ kind: 'access', accountId });
        });
      }
      cookie?.clear(reply);
      readerCookie(request, publicUrl)?.clear(reply);
      return reply.code(204).send(null);
    },
  );

  // Without this route, the CORS plugin would respond to preflights.
  app.options(apiRoutes.resume, { config, schema: { hide: true } }, (_request, reply) =>
    reply.code(204).header('allow', 'POST, DELETE').send(),
  );
}
