import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { Id } from '../../shared/schema.ts';
import { SearchOrder, SearchResults } from '../../shared/search.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { CachedResponse, sendCachedResponse } from '../http/cache/cached-response.ts';
import { parseSearchText } from './query/search-text.ts';
import type { SearchService } from './search-service.ts';

/** No request line can be longer. */
const maxQueryChars = 16 * 1024;

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};

export function searchRoutes(app: App, service: SearchService): void {
  app.get(
    apiRoutes.search,
    {
      schema: {
        tags: ['search'],
        summary: 'Buscar en canales y comentarios',
        description:
          'Aparece lo que tiene todas las palabras, con acentos o sin ellos, en singular o en plural; ' +
          'la ñ es otra letra que la n. `"entre comillas"`, las palabras seguidas; `-palabra`, lo que ' +
          'no la tiene. Si eso es poco, sigue lo que tiene otras formas de las palabras; si no es nada, ' +
          'se corrige lo mal escrito, y si así tampoco hay nada, aparece lo que tiene todas menos una ' +
          'o, si tampoco lo hay, todas menos dos. Lo más nuevo primero; `sort=relevance` pone antes lo que tiene ' +
          'las palabras seguidas. Un `after` solo vale con el orden del que salió, y con `searched` ' +
          'como `q` si lo había; lo que se edita entre dos páginas puede salir en las dos. ' +
          'La respuesta no llega a 1,3 MB.',
        querystring: Type.Object({
          q: Type.String({
            // Longer texts are rejected with advice (search-text.ts).
            maxLength: maxQueryChars,
            description: `Lo que se busca: como mucho, ${limits.searchChars} caracteres, sin espacios en los extremos y en NFC.`,
          }),
          channel: Type.Optional(Id({ description: 'Solo en este canal.' })),
          author: Type.Optional(Id({ description: 'Solo lo que escribió esta persona.' })),
          exact: Type.Optional(
            Type.Literal('1', { description: 'Solo las palabras tal como se escriben.' }),
          ),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: limits.listItems,
              description: `Una página no trae más de ${limits.hitsPerPage}.`,
            }),
          ),
          after: Type.Optional(Id()),
          sort: Type.Optional(SearchOrder),
          typing: Type.Optional(
            Type.Literal('1', {
              description: 'La última palabra está a medias: vale también lo que empieza por ella.',
            }),
          ),
        }),
        response: { 200: SearchResults, '4xx': Problem, '5xx': Problem },
      },
    },
    async (request, reply) => {
      const { q, channel, author, exact, limit, after, sort = 'new', typing } = request.query;
      if (channel !== undefined) await service.requireSearchedChannel(channel);
      if (author !== undefined) await service.requireSearchedAuthor(author);
      const isTyping = typing !== undefined;
      const text = parseSearchText(q, isTyping);
      if ('hint' in text) {
        const { hint } = text;
        const errors = [{ field: 'q', message: hint }];
        throw new ApiError('invalid_fields', { detail: hint, errors });
      }
      const results = await service.search(request, {
        ...text,
        isTyping,
        isExact: exact !== undefined,
        channelId: channel,
        authorId: author,
        limit: Math.min(limit ?? limits.hitsPerPage, limits.hitsPerPage),
        after,
        sort,
      });
      const response = new CachedResponse(String(reply.serialize(results)), headers);
      return sendCachedResponse(reply, response);
    },
  );
}
