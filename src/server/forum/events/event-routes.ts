import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Comment } from '../../../shared/comments.ts';
import { Problem } from '../../../shared/errors.ts';
import {
  Attendee,
  CalendarPage,
  CalendarQuery,
  CommentRsvps,
  EventEdit,
  NewRsvp,
  RsvpResult,
} from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { withQuery } from '../../../shared/routes.ts';
import { Id, Instant, ListOf } from '../../../shared/schema.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { cachedGet, type ResponseCache } from '../../http/cache/response-cache.ts';
import { revisionHeaders, revisionTag } from '../../http/revisions.ts';
import { commentKeyParameters, parseCommentKey } from '../comments/comment-routes.ts';
import type { CommentServices } from '../comments/post-comment.ts';
import { answerEvent, listRsvpsBetween, requireEvent } from './answer-event.ts';
import { listCalendar } from './calendar.ts';
import { changeEvent } from './change-event.ts';
import { listAttendees } from './list-attendees.ts';

const tags = ['events'];

interface EventRouteServices extends CommentServices {
  responses: ResponseCache;
}

/** The calendar, and routes to change the dates of a comment, to answer to them, and to list who did. */
export function eventRoutes(app: App, services: EventRouteServices): void {
  const { db, responses, now } = services;

  cachedGet(
    app,
    responses,
    apiRoutes.calendar,
    {
      tags,
      summary:
        'Las fechas de un mes, las más próximas primero; delante, las que empezaron antes y siguen',
      description: 'Un mes antes del de hoy y sesenta después.',
      querystring: CalendarQuery,
      response: { 200: CalendarPage, '4xx': Problem },
    },
    ({ query: { from, after } }) => ({
      url: withQuery(apiRoutes.calendar, { from, after }),
      load: () => listCalendar(db, { from, after }, now()),
    }),
  );

  app.patch(
    apiRoutes.event(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Cambiar, cancelar o recuperar fechas: quien las escribió y quien modera',
        description:
          `Lo que falta se queda como está. \`If-Match\` lleva la revisión de las fechas, no la del comentario. ` +
          'A quienes van, quizá van o esperan sitio se les avisa dos minutos después, si no se deshace antes.',
        params: commentKeyParameters,
        headers: revisionHeaders,
        body: EventEdit,
        response: { 200: Comment, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { params, headers, body } = request;
      const key = parseCommentKey(params);
      const { id } = callerOf(request);
      const comment = await changeEvent(services, id, key, headers['if-match'], body);
      if (comment.event) reply.header('etag', revisionTag(comment.event));
      return comment;
    },
  );

  app.put(
    apiRoutes.rsvp(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Responder a una fecha, o a todas las que quedan',
        description:
          'Con `answer: null` se retira la respuesta. Quien ya no cabe espera: cada `yes` toma un turno, ' +
          'que se conserva si luego van menos personas y se pierde si van más.',
        params: commentKeyParameters,
        body: NewRsvp,
        response: { 200: RsvpResult, '4xx': Problem },
      },
    },
    (request) =>
      answerEvent(services, callerOf(request).id, parseCommentKey(request.params), request.body),
  );

  app.get(
    apiRoutes.rsvps(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Quiénes han respondido a una fecha: primero quienes van, por orden de respuesta',
        params: commentKeyParameters,
        querystring: Type.Object({
          date: Type.Integer({ minimum: 0, maximum: limits.eventDates - 1 }),
          after: Type.Optional(Id()),
        }),
        response: { 200: ListOf(Attendee), '4xx': Problem },
      },
    },
    async (request) => {
      const key = parseCommentKey(request.params);
      const { date, after } = request.query;
      const { dates } = await requireEvent(db, key);
      if (!dates[date]) throw new ApiError('event_not_found');
      return listAttendees(db, { ...key, position: date }, after);
    },
  );

  app.get(
    apiRoutes.ownRsvps,
    {
      schema: {
        tags,
        summary: 'Las propias respuestas a las fechas que empiezan entre dos momentos',
        querystring: Type.Object({ from: Instant, to: Instant }),
        response: { 200: Type.Object({ data: Type.Array(CommentRsvps) }), '4xx': Problem },
      },
    },
    async (request) => {
      const { from, to } = request.query;
      const period = { fromMs: Date.parse(from), toMs: Date.parse(to) };
      return { data: await listRsvpsBetween(db, callerOf(request).id, period) };
    },
  );
}
