import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant } from './schema.ts';

/** The purpose of an upload, which determines the stored variants. */
export const ImageUse = Type.Union([
  Type.Literal('cover'),
  Type.Literal('avatar'),
  Type.Literal('comment'),
]);
export type ImageUse = Static<typeof ImageUse>;

/** The purpose of any upload: an image, or a file that a comment carries. */
export const UploadUse = Type.Union([...ImageUse.anyOf, Type.Literal('file')]);
export type UploadUse = Static<typeof UploadUse>;

/** The description of the file in the metadata of a tus upload. */
export const UploadMetadata = Type.Object({
  filename: Type.Optional(
    Type.String({ maxLength: limits.fileNameChars, description: 'El nombre del archivo.' }),
  ),
  filetype: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Su tipo, como `image/png`. No hace falta: lo dicen los bytes.',
    }),
  ),
  use: Type.Union([...UploadUse.anyOf, Type.Literal('import')], {
    description: '`import`: un chat que un admin trae; la última respuesta es entonces un 204.',
  }),
});

export const StoredFile = Type.Object(
  {
    bucket: Type.String(),
    fullPath: Type.String({
      description: 'images/<nombre>, o files/<id>/<nombre> de un archivo de un comentario',
    }),
    name: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    contentType: Type.String(),
    timeCreated: Instant,
    updated: Instant,
    md5Hash: Type.String({ description: 'El MD5 de los bytes guardados, en base64.' }),
    customMetadata: Type.Record(Type.String(), Type.String()),
    downloadURL: Type.String(),
  },
  { $id: 'StoredFile' },
);
export type StoredFile = Static<typeof StoredFile>;
