import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { Id } from '../../shared/schema.ts';
import { SearchOrder, SearchResults } from '../../shared/search.ts';
import { CachedResponse } from '../cache/cached-response.ts';
import { sendCachedResponse } from '../cache/send-response.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { parseSearchText } from './query/search-text.ts';
import type { SearchService } from './search-service.ts';

/** No request line holds more. */
const maxQueryChars = 16 * 1024;

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};

export function searchRoutes(app: App, service: SearchService): void {
  app.get(
    apiRoutes.search,
    {
      config: {
        budget: ({ query }) =>
          (query as { typing?: string }).typing === undefined ? 'search' : 'searchWhileTyping',
      },
      schema: {
        tags: ['search'],
        summary: 'Buscar en canales y comentarios',
        description:
          'Aparece lo que tiene todas las palabras, con acentos o sin ellos, en singular o en plural; ' +
          'la ñ es otra letra que la n. `"entre comillas"`, las palabras seguidas; `-palabra`, lo que ' +
          'no la tiene. Lo más nuevo primero; `sort=relevance` ordena lo que mejor se ajusta de lo ' +
          'más nuevo. Un `after` solo vale con el orden del que salió. La respuesta no llega a 1,3 MB.',
        querystring: Type.Object({
          q: Type.String({
            // A longer one is refused with what to do instead (search-text.ts).
            maxLength: maxQueryChars,
            description: `Lo que se busca: como mucho, ${limits.searchChars} caracteres, sin espacios en los extremos y en NFC.`,
          }),
          channel: Type.Optional(Id({ description: 'Solo en este canal.' })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.listItems })),
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
      const { q, channel, limit = limits.hitsPerPage, after, sort = 'new', typing } = request.query;
      if (channel !== undefined) await service.requireSearchedChannel(channel);
      const text = parseSearchText(q, typing !== undefined);
      if ('hint' in text) {
        const { hint } = text;
        const errors = [{ field: 'q', message: hint }];
        throw new ApiError('invalid_fields', { detail: hint, errors });
      }
      const search = { ...text, channelId: channel, limit, after, sort };
      const results = await service.search(request, search);
      const response = new CachedResponse(String(reply.serialize(results)), headers);
      return sendCachedResponse(reply, response);
    },
  );
}
