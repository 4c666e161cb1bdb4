import Type from 'typebox';
import { pageRoutes } from '../../shared/routes.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { findUnsubscriber } from '../mail/unsubscribe.ts';
import { setEvery, setImportant, setModeration } from '../notifications/settings-routes.ts';
import { sendLinkPage } from './send-link-page.ts';

const path = '/unsubscribe/:token';
/** Mail clients POST a short form (RFC 8058), whose content is ignored. */
const bodyBytes = 4096;

const texts = {
  news: {
    asked: '¿No recibir más avisos por correo?',
    done: 'Ya no recibirás avisos por correo',
    stays: 'Los avisos siguen en el foro, y en Ajustes puedes volver a recibirlos por correo.',
  },
  notices: {
    asked: '¿No recibir más los avisos importantes?',
    done: 'Ya no recibirás los avisos importantes',
    stays:
      'Los cambios de las fechas a las que vas siguen en el foro, y en Ajustes puedes volver a recibirlos.',
  },
  moderation: {
    asked: '¿No recibir más correos sobre lo que espera a quien modera?',
    done: 'Ya no recibirás correos sobre lo que espera a quien modera',
    stays: 'Lo que espera sigue en Moderación, y en Ajustes puedes volver a recibirlos.',
  },
};

/**
 * Ends an account's news, or a moderator's mails, without a session. GET only asks, because mail scanners open links;
 * POST acts.
 */
export function unsubscribeRoutes(
  app: App,
  services: { db: Database; withTransaction: WithTransaction },
): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const requireAccount = async (token: string) => {
    const found = await findUnsubscriber(services.db, token);
    if (!found) throw new ApiError('not_found');
    return found;
  };
  app.register(async (forms: App) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyBytes },
      (_request, _body, done) => done(null, undefined),
    );
    forms.get(path, { schema }, async (request, reply) => {
      const { asked, stays } = texts[(await requireAccount(request.params.token)).ended];
      return sendLinkPage(services.db, reply, {
        title: asked,
        html: `<p>${stays}</p>
<form method="post"><button>No recibir más</button></form>`,
      });
    });
    // Webmail pages send this from their own origin. Only the token counts.
    forms.post(path, { schema, config: { isForOtherSites: true } }, async (request, reply) => {
      const { id, ended } = await requireAccount(request.params.token);
      const ends = { news: setEvery, notices: setImportant, moderation: setModeration };
      await ends[ended](services, id, 'never');
      const { done, stays } = texts[ended];
      return sendLinkPage(services.db, reply, {
        title: done,
        html: `<p>${stays}</p>
<nav><a href="${pageRoutes.settings}#correo">Ir a Ajustes</a></nav>`,
      });
    });
  });
}
