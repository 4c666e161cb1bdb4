import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { Thankful } from '../../../shared/people.ts';
import { CommentVote, NewVote } from '../../../shared/polls.ts';
import { Id, ListOf } from '../../../shared/schema.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import type { App } from '../../http/app-type.ts';
import { commentKeyParameters, parseCommentKey } from '../comments/comment-routes.ts';
import type { CommentServices } from '../comments/post-comment.ts';
import { castVote } from './cast-vote.ts';
import { listVoters } from './list-voters.ts';

const tags = ['polls'];

/** Routes to vote in the poll of a comment, and to list who voted for an option of a named one. */
export function pollRoutes(app: App, services: CommentServices): void {
  app.put(
    apiRoutes.votes(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Votar en una encuesta, hasta que se cierre',
        description:
          'El voto con nombre se puede cambiar: vale el último. El secreto no se puede cambiar ni retirar, ' +
          'porque no se guarda quién votó qué.',
        params: commentKeyParameters,
        body: NewVote,
        response: { 200: CommentVote, '4xx': Problem },
      },
    },
    (request) => {
      const key = parseCommentKey(request.params);
      return castVote(services, callerOf(request).id, key, request.body.options);
    },
  );

  app.get(
    apiRoutes.votes(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Quiénes han votado por una opción de una encuesta con nombres',
        description: 'Antes de que se cierre, solo para quien ya ha votado.',
        params: commentKeyParameters,
        querystring: Type.Object({
          option: Type.Integer({ minimum: 0, maximum: limits.pollOptions - 1 }),
          after: Type.Optional(Id()),
        }),
        response: { 200: ListOf(Thankful), '4xx': Problem },
      },
    },
    (request) => {
      const { option: position, after } = request.query;
      const key = { ...parseCommentKey(request.params), position };
      return listVoters(services.db, callerOf(request).id, key, after);
    },
  );
}
