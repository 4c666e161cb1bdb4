import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Problem } from '../../shared/errors.ts';
import { StoredFile } from '../../shared/images.ts';
import { apiRoutes, assetRoutes } from '../../shared/routes.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { App } from '../http/app-type.ts';
import { findImage, toStoredFile } from './image-queries.ts';

const params = Type.Object({ name: Type.String({ description: 'File name.' }) });

export function fileRoutes(app: App, { db, images }: Deps): void {
  app.get(
    apiRoutes.storedFile('images/:name'),
    { schema: { tags: ['images'], params, response: { 200: StoredFile, '4xx': Problem } } },
    async (request) => {
      const row = await findImage(db, `images/${request.params.name}`);
      if (!row) throw new Refusal('file_not_found');
      return toStoredFile(row, images.bucket);
    },
  );

  app.get(
    assetRoutes.file('images/:name'),
    { schema: { tags: ['images'], params } },
    async (request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) => {
      const row = await findImage(db, `images/${request.params.name}`);
      if (!row) throw new Refusal('file_not_found');
      const etag = `"${row.md5}"`;
      reply.headers({
        etag,
        'cache-control': 'public, max-age=31536000, immutable',
        // Covers are shown by other sites that call the API, and by previews.
        'cross-origin-resource-policy': 'cross-origin',
      });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      const stream = await images.read(row.storage_key);
      return reply
        .headers({ 'content-type': row.content_type, 'content-length': row.size_bytes })
        .send(stream);
    },
  );
}
