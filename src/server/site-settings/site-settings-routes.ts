import type { FastifyRequest } from 'fastify';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { type Release, Rules, SavedSettings, SettingsChange } from '../../shared/site-settings.ts';
import { actorOf } from '../accounts/actor.ts';
import { sessionOf } from '../accounts/sessions/session-guard.ts';
import { readerCookie } from '../accounts/sessions/site-cookies.ts';
import { activeStaff, isOneAdminAlone } from '../accounts/standing/staff.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import type { App } from '../http/app-type.ts';
import { cachedGet, type ResponseCache } from '../http/cache/response-cache.ts';
import type { HealthChecks } from '../http/health-routes.ts';
import { revisionHeaders, revisionTag } from '../http/revisions.ts';
import type { Config } from '../system/settings/config.ts';
import { describeBuild } from './describe-build.ts';
import { saveSettings } from './save-site-settings.ts';
import { describeSettings, readRules } from './site-settings.ts';

const tags = ['moderation'];

interface SettingsServices {
  db: Database;
  now: () => number;
  withTransaction: WithTransaction;
  responses: ResponseCache;
  config: Pick<Config, 'contact' | 'publicUrl' | 'socialLinks' | 'mail' | 'backupKeep'>;
  health: Pick<HealthChecks, 'readLastBackup'>;
  releases: { newest: Release | undefined };
}

/** Routes for the community's settings: moderators read them, admins change them, and everyone may read the rules. */
export function siteSettingsRoutes(app: App, services: SettingsServices): void {
  const { db, config, responses } = services;
  const describe = async (request: FastifyRequest): Promise<SavedSettings> => {
    const saved = await describeSettings(db, config);
    const isAdmin = sessionOf(request).role === 'admin';
    if (!isAdmin) return saved;
    const build = describeBuild(services.releases.newest, services.now());
    return { ...saved, done: await findDone(services), build };
  };

  app.get(
    apiRoutes.siteSettings,
    {
      schema: {
        tags,
        summary: 'Los ajustes de la comunidad',
        response: { 200: SavedSettings, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const saved = await describe(request);
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
      const saved = await describe(request);
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

/** The steps of founding that are not settings. */
async function findDone({
  db,
  now,
  config,
  health,
}: SettingsServices): Promise<NonNullable<SavedSettings['done']>> {
  const invitation = await db.selectFrom('invitations').select('id').limit(1).executeTakeFirst();
  return {
    invitation: invitation !== undefined,
    moderator: (await activeStaff(db, now())).length > 1,
    isOneAdminAlone: await isOneAdminAlone(db, now()),
    // A backup may also be made by a timer of the system.
    backup: config.backupKeep > 0 || (await health.readLastBackup()) !== null,
    mail: config.mail !== undefined,
  };
}
