import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { pageRoutes } from '../../shared/routes.ts';
import { settingsInForce } from '../database/site-settings/site-settings.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { setEvery } from '../mail/notification-settings-routes.ts';
import { findUnsubscriber } from '../mail/unsubscribe.ts';
import { smallPage, smallPageHeaders } from './small-page.ts';

const path = '/unsubscribe/:token';
/** Mail clients POST a short form (RFC 8058), whose content is ignored. */
const bodyBytes = 4096;

/** Ends an account's news without a session. GET only asks, because mail scanners open links; POST acts. */
export function unsubscribeRoutes(
  app: App,
  services: { db: Database; withTransaction: WithTransaction },
): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const requireAccount = async (token: string) => {
    const id = await findUnsubscriber(services.db, token);
    if (id === undefined) throw new ApiError('not_found');
    return id;
  };
  app.register(async (forms: App) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyBytes },
      (_request, _body, done) => done(null, undefined),
    );
    forms.get(path, { schema }, async (request, reply) => {
      await requireAccount(request.params.token);
      return send(services.db, reply, {
        title: '¿No recibir más avisos por correo?',
        html: `<p>Los avisos seguirán en el foro, y en Ajustes puedes volver a recibirlos por correo.</p>
<form method="post"><button>No recibir más</button></form>`,
      });
    });
    // Webmail pages send this from their own origin. Only the token counts.
    forms.post(path, { schema, config: { isForOtherSites: true } }, async (request, reply) => {
      await setEvery(services, await requireAccount(request.params.token), 'never');
      return send(services.db, reply, {
        title: 'Ya no recibirás avisos por correo',
        html: `<p>Siguen en el foro, y en Ajustes puedes volver a recibirlos por correo.</p>
<nav><a href="${pageRoutes.settings}#correo">Ir a Ajustes</a></nav>`,
      });
    });
  });
}

async function send(db: Database, reply: FastifyReply, page: { title: string; html: string }) {
  const { name } = await settingsInForce(db);
  return reply
    .headers({
      ...smallPageHeaders,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(smallPage({ ...page, ...(name && { siteName: name }) }));
}
