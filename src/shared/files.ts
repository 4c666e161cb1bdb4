import Type, { type Static } from 'typebox';
import { Instant, Nullable } from './schema.ts';

/** Names the kinds of files that can be uploaded, in texts for people. */
export const fileKindsText =
  'PDF, documentos de Word, Excel, PowerPoint (docx, xlsx, pptx) y LibreOffice (odt, ods, odp), texto (txt, csv) y sonido (mp3, m4a, ogg)';

/** The types that files may have. */
export const fileTypes = [
  'application/pdf',
  ...['wordprocessingml.document', 'spreadsheetml.sheet', 'presentationml.presentation'].map(
    (kind) => `application/vnd.openxmlformats-officedocument.${kind}`,
  ),
  ...['text', 'spreadsheet', 'presentation'].map(
    (kind) => `application/vnd.oasis.opendocument.${kind}`,
  ),
  'text/plain',
  'text/csv',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
];

/** A file that a comment carries. */
export const CommentFile = Type.Object({
  url: Type.String({ description: 'Un archivo de este sitio, subido con el uso `file`.' }),
  name: Type.String({ description: 'Su nombre, con la extensión de lo que es.' }),
  size: Type.Integer({ description: 'Bytes.' }),
  type: Type.String({ description: 'Lo que dicen sus bytes, como `application/pdf`.' }),
});
export type CommentFile = Static<typeof CommentFile>;

/** A file, with the comment that carries it. */
export const Document = Type.Object({
  ...CommentFile.properties,
  channel: Type.Object({ _id: Type.String(), name: Type.String() }),
  number: Type.Integer({ description: 'El número del comentario que lo lleva.' }),
  autor: Type.String(),
  createdAt: Instant,
});
export type Document = Static<typeof Document>;

/** Files, newest first. */
export const DocumentPage = Type.Object({
  data: Type.Array(Document),
  next: Nullable(Type.String()),
});
export type DocumentPage = Static<typeof DocumentPage>;
