import Type, { type Static } from 'typebox';
import { Announcement, NewAnnouncement } from './announcements.ts';
import { CommentEvent, CommentRsvps, NewEvent } from './events.ts';
import { CommentFile } from './files.ts';
import { limits } from './limits.ts';
import { CommentPoll, CommentVote, NewPoll } from './polls.ts';
import { Id, Instant, Nullable, Text } from './schema.ts';

/** A range of the comment's text, in UTF-16 code units, that mentions a person. */
export const Mention = Type.Object({
  start: Type.Integer({ minimum: 0 }),
  length: Type.Integer({ minimum: 1 }),
  accountId: Type.String(),
  name: Type.String({ description: 'El nombre actual de la cuenta.' }),
});
export type Mention = Static<typeof Mention>;

export const CommentImage = Type.Object({
  url: Type.String({ description: 'Una imagen de este sitio, subida con el uso `comment`.' }),
  alt: Type.String({ description: 'Texto alternativo; puede estar vacío.' }),
});
export type CommentImage = Static<typeof CommentImage>;

const Thanks = Type.Object({
  count: Type.Integer(),
  names: Type.Array(Type.String(), {
    description: `De las últimas personas que dieron las gracias; como mucho, ${limits.thanksNames}.`,
  }),
});

export const Comment = Type.Object(
  {
    id: Type.String({ description: 'El id del canal, un guion y el número del comentario en él.' }),
    channelId: Type.String(),
    number: Type.Integer(),
    autor: Type.String(),
    autorId: Type.String(),
    autorImg: Type.String({ description: 'Vacío si no tiene imagen.' }),
    autorRole: Type.Optional(
      Type.Enum(['moderator', 'admin'], { description: 'Solo de quienes moderan.' }),
    ),
    autorImported: Type.Optional(
      Type.Literal(true, {
        description: 'Solo de quien escribió en un chat que se trajo y no tiene cuenta ni página.',
      }),
    ),
    comment: Type.String(),
    createdAt: Instant,
    revision: Type.Integer({ description: 'Desde 1; cada cambio la aumenta.' }),
    editedAt: Nullable(Instant),
    replyTo: Nullable(
      Type.Integer({ description: 'Número del comentario de este canal al que responde.' }),
    ),
    replyAutor: Type.String({
      description: 'Quién escribió ese comentario; vacío si no responde a ninguno o si se eliminó.',
    }),
    replyExcerpt: Type.String({
      description:
        'El comienzo de ese comentario tal como se lee ahora, sin lo que cita; vacío si no responde a ninguno o si se eliminó.',
    }),
    replyCount: Type.Integer({ description: 'Cuántos comentarios visibles le responden.' }),
    mentions: Type.Array(Mention),
    images: Type.Array(CommentImage),
    files: Type.Array(CommentFile),
    thanks: Thanks,
    event: Nullable(CommentEvent),
    poll: Nullable(CommentPoll),
    announcement: Nullable(Announcement),
  },
  { $id: 'Comment' },
);
export type Comment = Static<typeof Comment>;

/** `next` and `previous` are cursors for `after` and `before`; null at the ends. */
export const CommentPage = Type.Object({
  data: Type.Array(Comment),
  next: Nullable(Type.String()),
  previous: Nullable(Type.String()),
});
export type CommentPage = Static<typeof CommentPage>;

/** Mentions and images of a comment, as its author sends them. */
const content = {
  comment: Text(
    limits.commentChars,
    ' (una mención cuenta como uno; con una imagen, un archivo, una fecha o una encuesta, puede no tener ninguno)',
  ),
  mentions: Type.Optional(
    Type.Array(Type.Object({ start: Type.Integer(), length: Type.Integer(), accountId: Id() }), {
      maxItems: limits.mentionsPerComment,
    }),
  ),
  images: Type.Optional(
    Type.Array(Type.Object({ url: Text(limits.imageUrlBytes), alt: Text(limits.imageAltChars) }), {
      maxItems: limits.imagesPerComment,
    }),
  ),
};

/** Body of a new comment. The author is the account of the token; the body's is ignored. */
export const NewComment = Type.Object({
  id: Id({ description: 'El id del canal.' }),
  ...content,
  replyTo: Type.Optional(Nullable(Type.Integer())),
  files: Type.Optional(
    Type.Array(Type.Object({ url: Text(limits.imageUrlBytes) }), {
      maxItems: limits.filesPerComment,
    }),
  ),
  event: Type.Optional(Nullable(NewEvent)),
  poll: Type.Optional(
    Nullable(
      Type.Unsafe<Static<typeof NewPoll>>({ ...NewPoll, description: 'No junto a una fecha.' }),
    ),
  ),
  announcement: Type.Optional(Nullable(NewAnnouncement)),
  replyExcerpt: Type.Optional(
    Type.Unknown({
      description: 'No se tiene en cuenta: para citar, escríbelo en el texto con `> `.',
    }),
  ),
  autor: Type.Optional(Type.Unknown()),
  autorId: Type.Optional(Id()),
  autorImg: Type.Optional(Type.Unknown()),
});
export type NewComment = Static<typeof NewComment>;

/** An edit of a comment. Omitted mentions and images are removed; what else it carries stays as it is. */
export const CommentEdit = Type.Object(content);
export type CommentEdit = Static<typeof CommentEdit>;

export const MyThanks = Type.Object({
  count: Type.Integer({ description: 'Cuántas personas han dado las gracias.' }),
  mine: Type.Boolean(),
});
export type MyThanks = Static<typeof MyThanks>;

/** What is the caller's in the comments of a range. No public answer says that, since it is the same for everyone. */
export const Mine = Type.Object({
  thanks: Type.Array(Type.Integer(), {
    description: 'Números de los comentarios por los que ha dado las gracias.',
  }),
  rsvps: Type.Array(CommentRsvps, { description: 'Sus respuestas a las fechas, por comentario.' }),
  votes: Type.Array(CommentVote, { description: 'Sus votos, por comentario.' }),
});
export type Mine = Static<typeof Mine>;
