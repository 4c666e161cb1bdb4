import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { fileTypes } from '../../shared/files.ts';
import { imageVariants, shareCard } from '../../shared/image-variants.ts';
import { StoredFile } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { namesEntityTag } from '../http/entity-tags.ts';
import { parseRange } from './byte-range.ts';
import { attachmentOf } from './file-names.ts';
import type { ImageRow } from './image-queries.ts';
import { type FoundImage, findImage } from './image-visibility.ts';
import { sendBytes } from './send-bytes.ts';
import { isSignedFor } from './signed-urls.ts';
import { fileNameOf, toStoredFile } from './stored-file.ts';
import type { ImageStore } from './stores/image-store.ts';
import {
  contentTypeOf,
  fullVariant,
  hasShareCard,
  objectKey,
  storedWidths,
  variantName,
} from './stores/storage-keys.ts';

const params = Type.Object({ name: Type.String({ description: 'Nombre del archivo.' }) });
const fileParams = Type.Object({ id: Type.String(), ...params.properties });
const variantParams = Type.Object({
  ...params.properties,
  variant: Type.String({ description: 'Un ancho y su extensión (500.webp), o card.jpg.' }),
});

const signature = Type.Object({
  signature: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'De una dirección que caduca a los pocos minutos, para quien puede ver lo que se ha retirado.',
    }),
  ),
});

/** @param types the content types that the bytes may have */
const bytesOf = (...types: string[]) => {
  const content = Object.fromEntries(types.map((type) => [type, { schema: Type.Unknown() }]));
  const etag = { ETag: Type.String({ description: 'Cambia con los bytes.' }) };
  const range = { 'Content-Range': Type.String({ description: 'Qué bytes son, y de cuántos.' }) };
  return {
    200: { description: 'Los bytes.', headers: etag, content },
    206: { description: 'Los que pide `Range`.', headers: { ...etag, ...range }, content },
    304: Type.Null({ description: 'El `ETag` es uno de los de `If-None-Match`.' }),
    '4xx': Problem,
  };
};

/** Headers that the routes read without a schema, because an invalid one counts as none. */
const described = {
  headers: Type.Object({
    Range: Type.Optional(Type.String({ maxLength: 200, description: 'Un solo fragmento.' })),
    'If-None-Match': Type.Optional(Type.String({ maxLength: 200 })),
  }),
};

/**
 * A file name always stands for the same bytes. Shared caches revalidate after an hour, since the image may have been
 * hidden.
 */
const publicCaching = 'public, max-age=31536000, immutable, s-maxage=3600';

/** API clients and link previews embed images on other sites; files are for this site's pages alone. */
const crossOrigin = { 'cross-origin-resource-policy': 'cross-origin' };

interface FileServices {
  db: Database;
  images: ImageStore;
  now: () => number;
}

export function fileRoutes(app: App, { db, images, now }: FileServices): void {
  /** @throws ApiError `file_not_found`, also when visitors may not see it and no valid signature is given */
  const requireStored = async (fullPath: string, signed?: string) => {
    const found = await findImage(db, 'full_path', fullPath);
    const isSigned = found && signed !== undefined && isSignedFor(found.row, signed, now());
    if (!found || !(found.isPublic || isSigned)) throw new ApiError('file_not_found');
    return found;
  };

  async function describe(fullPath: string): Promise<StoredFile> {
    const { row } = await requireStored(fullPath);
    // Throws ObjectNotFound (404) when the object is missing.
    await images.size(objectKey(row.image_id, fullVariant));
    return toStoredFile(row, images);
  }
  const described200 = { 200: StoredFile, '4xx': Problem };

  app.get(
    apiRoutes.storedFile('images/:name'),
    {
      schema: {
        tags: ['images'],
        summary: 'Datos de una imagen guardada',
        params,
        response: described200,
      },
    },
    (request) => describe(`images/${request.params.name}`),
  );

  app.get(
    apiRoutes.storedFile('files/:id/:name'),
    {
      schema: {
        tags: ['images'],
        summary: 'Datos de un archivo guardado',
        params: fileParams,
        response: described200,
      },
    },
    ({ params: { id, name } }) => describe(`files/${id}/${name}`),
  );

  async function sendObject(
    request: FastifyRequest,
    reply: FastifyReply,
    { isPublic, row }: FoundImage,
    object: { key: string; contentType: string; etag: string },
  ) {
    const isFile = row.use === 'file';
    const etag = `"${object.etag}"`;
    const headers = {
      etag,
      'accept-ranges': 'bytes',
      'cache-control': isPublic ? publicCaching : 'private, no-store',
      ...(isPublic && !isFile && crossOrigin),
      ...(isFile && { 'content-disposition': attachmentOf(fileNameOf(row.full_path)) }),
    };
    if (namesEntityTag(request.headers['if-none-match'], etag)) {
      return reply.code(304).headers(headers).send();
    }

    const size = await images.size(object.key);
    reply.headers(headers).type(object.contentType);
    const range = parseRange(request.headers, size, etag);
    if (range === 'unsatisfiable') {
      throw new ApiError('range_not_satisfiable', {
        headers: { 'content-range': `bytes */${size}` },
      });
    }
    if (range) {
      reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
    }
    const bytes = range ? range.end - range.start + 1 : size;
    reply.header('content-length', bytes);
    return sendBytes(request, reply, images, { key: object.key, range, bytes });
  }

  /** Sends the bytes of a file, or of an image in full size. */
  async function sendFull(
    request: FastifyRequest,
    reply: FastifyReply,
    fullPath: string,
    signed: string | undefined,
  ) {
    const found = await requireStored(fullPath, signed);
    const { image_id, content_type: contentType, md5: etag } = found.row;
    return sendObject(request, reply, found, {
      key: objectKey(image_id, fullVariant),
      contentType,
      etag,
    });
  }

  app.get(
    assetRoutes.file('images/:name'),
    {
      config: { moves: 'file' },
      schema: {
        tags: ['images'],
        operationId: 'getImage',
        summary: 'Los bytes de una imagen',
        params,
        querystring: signature,
        described,
        response: bytesOf('image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'),
      },
    },
    (request, reply) =>
      sendFull(request, reply, `images/${request.params.name}`, request.query.signature),
  );

  app.get(
    assetRoutes.file('files/:id/:name'),
    {
      config: { moves: 'file' },
      schema: {
        tags: ['images'],
        operationId: 'getFile',
        summary: 'Los bytes de un archivo de un comentario, para guardarlos',
        params: fileParams,
        querystring: signature,
        described,
        response: bytesOf(...fileTypes),
      },
    },
    (request, reply) => {
      const { id, name } = request.params;
      return sendFull(request, reply, `files/${id}/${name}`, request.query.signature);
    },
  );

  app.get(
    assetRoutes.variant(assetRoutes.file('images/:name'), ':variant'),
    {
      config: { moves: 'file' },
      schema: {
        tags: ['images'],
        operationId: 'getImageVariant',
        summary: 'Una imagen en otro tamaño',
        params: variantParams,
        querystring: signature,
        described,
        response: bytesOf('image/webp', 'image/jpeg'),
      },
    },
    async (request, reply) => {
      const found = await requireStored(`images/${request.params.name}`, request.query.signature);
      const { row } = found;
      const variant = closestVariant(row, request.params.variant);
      if (!variant) throw new ApiError('file_not_found');
      return sendObject(request, reply, found, {
        key: objectKey(row.image_id, variant),
        contentType: contentTypeOf(variant, row.content_type),
        etag: `${row.content_hash.slice(0, 32)}.${variant}`,
      });
    },
  );
}

/**
 * The smallest stored variant that is at least as wide as the requested one, or else the largest: an
 * image may be too small for a variant, or be shown for another use than it was uploaded for.
 */
function closestVariant(row: ImageRow, requested: string): string | undefined {
  if (requested === shareCard.file && hasShareCard(row.use)) return requested;
  const width = allVariants.get(requested);
  if (width === undefined) return undefined;
  return variantName(storedWidths(row).find((stored) => stored >= width) ?? row.largest_variant);
}

/** The variants of all uses, with their widths. */
const allVariants = new Map<string, number>([
  [shareCard.file, shareCard.width],
  ...Object.values(imageVariants).flatMap(({ widths }) =>
    widths.map((width) => [variantName(width), width] as const),
  ),
]);
