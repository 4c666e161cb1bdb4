import Type from 'typebox';
import { whenAndWhere } from '../../shared/event-change-texts.ts';
import type { EventDate } from '../../shared/events.ts';
import { commentLink } from '../../shared/routes.ts';
import type { CommentServices } from '../forum/comments/post-comment.ts';
import { answerEvent, requireEvent } from '../forum/events/answer-event.ts';
import { answerTexts, findAnswer } from '../forum/events/answer-links.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { sendLinkPage } from './send-link-page.ts';

const path = '/rsvp/:token';
const bodyBytes = 4096;

/** The reason why a date can no longer be answered, shown in place of the button; null while it can be answered. */
function closedText({ cancelled, reason, phase }: EventDate): string | null {
  if (cancelled) return `<p>Se ha cancelado${reason && `: <bdi>${escapeHtml(reason)}</bdi>`}</p>`;
  return phase === 'coming' ? null : '<p>Ya ha empezado, así que ya no se puede responder.</p>';
}

/**
 * Answers to a date by a link in a mail, without a session. GET only asks, because mail scanners open links; POST acts.
 * The page says no more than title, hour and name.
 */
export function rsvpRoutes(app: App, services: CommentServices): void {
  const { db, now } = services;
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };
  const require = async (token: string) => {
    const found = await findAnswer(db, token, now());
    if (!found) throw new ApiError('not_found');
    const event = await requireEvent(db, found).catch(() => null);
    const date = event?.dates[found.position];
    if (!event || !date) throw new ApiError('not_found');
    const closed = closedText(date);
    return { ...found, event, date, closed };
  };
  app.register(async (forms: App) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyBytes },
      (_request, _body, done) => done(null, undefined),
    );
    forms.get(path, { schema }, async (request, reply) => {
      const { event, date, answer, account, closed } = await require(request.params.token);
      if (closed) return sendLinkPage(db, reply, { title: event.title, html: closed });
      const words = answerTexts[answer];
      return sendLinkPage(db, reply, {
        title: event.title,
        html: `<p>${escapeHtml(whenAndWhere({ ...date, location: '' }))}</p>
<p>Responde como <bdi>${escapeHtml(account.name)}</bdi>.</p>
<form method="post"><button>${words}</button></form>`,
      });
    });
    forms.post(path, { schema }, async (request, reply) => {
      const found = await require(request.params.token);
      const { account, channelId, number, position, answer, event, closed } = found;
      if (closed) return sendLinkPage(db, reply.code(409), { title: event.title, html: closed });
      const result = await answerEvent(
        services,
        account.id,
        { channelId, number },
        {
          date: position,
          answer,
        },
      );
      const isWaiting = result.mine.some((one) => one.position === position && one.isWaiting);
      return sendLinkPage(db, reply, {
        title: `${answerTexts[answer]}: ${event.title}`,
        html: `<p>${isWaiting ? 'No quedan sitios: esperas a que se libere uno, y te avisaremos.' : 'Queda apuntado.'}</p>
<nav><a href="${commentLink(channelId, number)}">Ver la fecha</a></nav>`,
      });
    });
  });
}
