import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { Rules, SavedSettings, SettingsChange } from '../../../shared/site-settings.ts';
import { readerCookie } from '../../accounts/sessions/site-cookies.ts';
import { describeSettings, readRules } from '../../database/site-settings/site-settings.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import type { App } from '../../http/app-type.ts';
import { cachedGet, type ResponseCache } from '../../http/cache/response-cache.ts';
import { revisionHeaders, revisionTag } from '../../http/revisions.ts';
import type { Config } from '../../system/settings/config.ts';
import { actorOf } from '../actor.ts';
import { saveSettings } from './save-site-settings.ts';

const tags = ['moderation'];

interface SettingsServices {
  db: Database;
  now: () => number;
  withTransaction: WithTransaction;
  responses: ResponseCache;
  config: Pick<Config, 'contact' | 'publicUrl' | 'socialLinks'>;
}

/** Routes for the community's settings: moderators read them, admins change them, and everyone may read the rules. */
export function siteSettingsRoutes(app: App, services: SettingsServices): void {
  const { db, config, responses } = services;

  app.get(
    apiRoutes.siteSettings,
    {
      schema: {
        tags,
        summary: 'Los ajustes de la comunidad',
        response: { 200: SavedSettings, '4xx': Problem },
      },
    },
    async (_request, reply) => {
      const saved = await describeSettings(db, config);
      reply.header('etag', revisionTag(saved));
      return saved;
    },
  );

  app.patch(
    apiRoutes.siteSettings,
    {
      schema: {
        tags,
        summary: 'Cambiar los ajustes de la comunidad; lo que falta se queda como está',
        headers: revisionHeaders,
        body: SettingsChange,
        response: { 200: SavedSettings, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { headers, body } = request;
      await saveSettings(actorOf(services, request), headers['if-match'], body, {
        hasCookies: readerCookie(request, config.publicUrl) !== undefined,
        hasContact: config.contact !== undefined,
      });
      const saved = await describeSettings(db, config);
      reply.header('etag', revisionTag(saved));
      return saved;
    },
  );

  cachedGet(
    app,
    responses,
    apiRoutes.rules,
    {
      tags: ['moderation'],
      summary: 'Las normas de la comunidad, y a quién se pregunta',
      response: { 200: Rules, '4xx': Problem },
    },
    () => ({ url: apiRoutes.rules, load: () => readRules(db, config) }),
  );
}
