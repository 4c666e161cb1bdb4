import Type, { type TSchema } from 'typebox';
import { Problem } from '../../../shared/errors.ts';
import { StoredFile, UploadMetadata } from '../../../shared/images.ts';
import { Nullable } from '../../../shared/schema.ts';

/** The version of tus, in each request and response. */
const version = { 'Tus-Resumable': Type.Literal('1.0.0', { description: 'La versión de tus.' }) };

const offset = {
  'Upload-Offset': Type.Integer({ minimum: 0, description: 'Cuántos bytes han llegado ya.' }),
};

const metadata = Type.String({
  maxLength: 16_384,
  contentSchema: UploadMetadata,
  examples: ['filename Y2Fmw6kucG5n,filetype aW1hZ2UvcG5n,use Y292ZXI='],
  description:
    'Los datos de `UploadMetadata`: cada nombre, un espacio y su valor en base64 (UTF-8), separados por comas.',
});

const bodyOf = (schema: TSchema) => ({
  content: { 'application/offset+octet-stream': { schema } },
});
const bytes = Type.Unknown({ description: 'Los bytes.' });

const stored = {
  description:
    'La imagen o el archivo que se ha guardado: con esta petición han llegado todos sus bytes.',
  headers: { ...version, ...offset },
  content: { 'application/json': { schema: StoredFile } },
};

const params = Type.Object({ id: Type.String({ description: 'La que da `Location`.' }) });
const tags = ['images'];

/**
 * The API description of uploads, which the tus server checks instead of Fastify. Only the statuses of the
 * responses are also those of the routes.
 */
export const uploadDescriptions = {
  create: {
    tags,
    summary: 'Empezar a subir una imagen o un archivo por partes (protocolo tus 1.0)',
    description:
      'Después se envían los bytes con `PATCH` a la dirección de `Location`, en una o varias peticiones; la respuesta a la que trae los últimos es el `StoredFile`. Los primeros bytes también pueden ir en el cuerpo de esta. De una animación se guarda el primer fotograma. Extensiones de tus: `creation`, `creation-with-upload` y `termination`.',
    described: {
      headers: Type.Object({
        ...version,
        'Upload-Length': Type.Integer({ minimum: 1, description: 'Los bytes del archivo.' }),
        'Upload-Metadata': metadata,
      }),
      body: bodyOf(Nullable(bytes)),
    },
    response: {
      200: stored,
      201: Type.Null({
        description: 'La subida está empezada.',
        headers: {
          Location: Type.String({ description: 'Su dirección.' }),
          ...version,
          'Upload-Offset': Type.Integer({
            description: 'Con un cuerpo, cuántos bytes han llegado.',
          }),
        },
      }),
      '4xx': Problem,
    },
  },
  send: {
    tags,
    summary: 'Enviar bytes de una subida',
    description:
      'Los que siguen a los que ya han llegado. Si se corta, `HEAD` dice desde dónde se sigue.',
    params,
    described: { headers: Type.Object({ ...version, ...offset }), body: bodyOf(bytes) },
    response: {
      200: stored,
      204: Type.Null({
        description: 'Han llegado; faltan más.',
        headers: { ...version, ...offset },
      }),
      '4xx': Problem,
    },
  },
  read: {
    tags,
    summary: 'Cuánto ha llegado de una subida',
    params,
    described: { headers: Type.Object(version) },
    response: {
      200: Type.Null({
        description: 'La subida sigue abierta.',
        headers: {
          ...version,
          ...offset,
          'Upload-Length': Type.Integer({ description: 'Los bytes del archivo.' }),
          'Upload-Metadata': Type.String({ description: 'Los datos que se enviaron.' }),
        },
      }),
      '4xx': Problem,
    },
  },
  cancel: {
    tags,
    summary: 'Cancelar una subida',
    params,
    described: { headers: Type.Object(version) },
    response: {
      204: Type.Null({ description: 'Ya no existe.', headers: version }),
      '4xx': Problem,
    },
  },
};
