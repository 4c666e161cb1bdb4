import Type from 'typebox';
import { dayText } from '../../shared/event-texts.ts';
import { limits } from '../../shared/limits.ts';
import { numberText } from '../../shared/number-texts.ts';
import { Id } from '../../shared/schema.ts';
import { toInstant } from '../database/tables.ts';
import type { App } from '../http/app-type.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { requireWithdrawer, withdrawWords } from '../moving-in/claims/withdraw-words.ts';
import { cancelDeletion } from '../privacy/deletion/deletion-request.ts';
import type { ErasureServices } from '../privacy/erasure/erasure-services.ts';
import { sendLinkPage } from './send-link-page.ts';

const path = '/withdraw/:token';
const bodyBytes = 4096;

const button = (choice: string, text: string) =>
  `<form method="post" action="?choice=${choice}"><button>${text}</button></form>`;
const choices = {
  anonymous: 'Dejar mis comentarios sin mi nombre',
  erase: 'Borrar todo lo que escribí',
};

type Withdrawer = Awaited<ReturnType<typeof requireWithdrawer>>;

/** The page that the link shows: the choice, the day when the words are withdrawn, or that they have been. */
function pageOf({ channel, name, comments, ...person }: Withdrawer) {
  const where = `<bdi>${escapeHtml(channel)}</bdi>`;
  if (person.erased_at_ms !== null)
    return { title: 'Ya se han retirado', html: `<p>Tu nombre ya no está en ${where}.</p>` };
  const what = `${numberText(Number(comments))} ${Number(comments) === 1 ? 'mensaje' : 'mensajes'}`;
  const whose = `<p>En ${where} hay ${what} de <bdi>${escapeHtml(name)}</bdi>, del grupo de antes.</p>`;
  if (person.deletion_at_ms !== null) {
    const chosen = choices[person.deletion_content === 'erase' ? 'erase' : 'anonymous'];
    const day = dayText(toInstant(person.deletion_at_ms).slice(0, 10));
    return {
      title: `Se retiran el ${day}`,
      html: `${whose}
<p>Has pedido: «${chosen}». Hasta ese día lo puedes cancelar con este mismo enlace.</p>
${button('cancel', 'Cancelar, y dejarlo todo como está')}`,
    };
  }
  return {
    title: '¿Retirar mis mensajes?',
    html: `${whose}
<p>Elige qué se hace con ellos. Durante ${limits.deletionDays} días se siguen viendo y puedes cancelarlo con este mismo enlace. Después no hay vuelta atrás.</p>
${button('anonymous', choices.anonymous)}
${button('erase', choices.erase)}`,
  };
}

/**
 * Lets a person without an account withdraw what they wrote in a chat that moved in. GET only asks, because mail scanners
 * open links; POST acts.
 */
export function withdrawRoutes(app: App, services: ErasureServices): void {
  const { db } = services;
  const params = Type.Object({ token: Id() });
  const choice = Type.Enum(['anonymous', 'erase', 'cancel']);
  app.register(async (forms: App) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyBytes },
      (_request, _body, done) => done(null, undefined),
    );
    forms.get(path, { schema: { hide: true, params } }, async (request, reply) =>
      sendLinkPage(db, reply, pageOf(await requireWithdrawer(db, request.params.token))),
    );
    const querystring = Type.Object({ choice });
    forms.post(path, { schema: { hide: true, params, querystring } }, async (request, reply) => {
      const { token } = request.params;
      const { choice } = request.query;
      if (choice === 'cancel')
        await cancelDeletion(services, (await requireWithdrawer(db, token)).id);
      else await withdrawWords(services, token, choice);
      return sendLinkPage(db, reply, pageOf(await requireWithdrawer(db, token)));
    });
  });
}
