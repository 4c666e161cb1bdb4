import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { DocumentPage } from '../../../shared/files.ts';
import { searchFieldChars, withQuery } from '../../../shared/routes.ts';
import { Id } from '../../../shared/schema.ts';
import type { Database } from '../../database/tables.ts';
import type { App } from '../../http/app-type.ts';
import { cachedGet, type ResponseCache } from '../../http/cache/response-cache.ts';
import { listDocuments } from './list-documents.ts';

/** The list of the files that comments carry. */
export function documentRoutes(
  app: App,
  { db, responses }: { db: Database; responses: ResponseCache },
): void {
  cachedGet(
    app,
    responses,
    apiRoutes.documents,
    {
      tags: ['comments'],
      summary: 'Los archivos de los comentarios, los más nuevos primero',
      description:
        'Con `q`, los que tienen esas palabras en el nombre: una página puede traer pocos, o ninguno, y aun así seguir en `next`.',
      querystring: Type.Object({
        q: Type.Optional(Type.String({ maxLength: searchFieldChars })),
        channel: Type.Optional(Id()),
        after: Type.Optional(Id()),
      }),
      response: { 200: DocumentPage, '4xx': Problem },
    },
    ({ query: { q, channel, after } }) => ({
      // Any text may be searched for.
      url: q ? undefined : withQuery(apiRoutes.documents, { channel, after }),
      load: () => listDocuments(db, { q, channel, after }),
    }),
  );
}
