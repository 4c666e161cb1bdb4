import Type, { type Static } from 'typebox';
import { HomeAnnouncement } from './announcements.ts';
import { Comment } from './comments.ts';
import { CalendarDate } from './events.ts';
import { Document } from './files.ts';
import { limits } from './limits.ts';
import { OpenPoll } from './polls.ts';
import { Id, Instant, ListOf, Nullable, Text } from './schema.ts';

export const Channel = Type.Object(
  {
    _id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    cover: Type.String({
      description: 'Una imagen: una ruta de este sitio o una dirección https.',
    }),
    coverAlt: Type.String({ description: 'Texto alternativo de la portada; puede estar vacío.' }),
    autor: Type.String(),
    autorId: Type.String(),
    autorImg: Type.String({ description: 'Vacío si no tiene imagen.' }),
    comments: Type.Array(Comment, {
      description:
        'Los más antiguos, tantos como se piden; menos si la respuesta pasara de 4 MB. `commentCount` dice cuántos hay.',
    }),
    commentCount: Type.Integer({ description: 'Cuántos hay en total.' }),
    removedCount: Type.Integer({
      description: 'Cuántos números se salta la lista, porque esos comentarios ya no se muestran.',
    }),
    createdAt: Instant,
    revision: Type.Integer({ description: 'Desde 1; cada cambio la aumenta.' }),
    editedAt: Nullable(Instant),
    closedAt: Nullable(Instant),
    isPinned: Type.Boolean({ description: 'Si el inicio lo muestra entre los primeros.' }),
    lastCommentAt: Nullable(Instant),
    upcoming: Type.Optional(
      Type.Array(CalendarDate, {
        description: `Solo al pedir un canal, y si las tiene: sus próximas fechas, como mucho ${limits.channelDates}.`,
      }),
    ),
    polls: Type.Optional(
      Type.Array(OpenPoll, {
        description: `Solo al pedir un canal, y si las tiene: sus encuestas abiertas, como mucho ${limits.asideItems}, primero la que antes se cierra.`,
      }),
    ),
    documents: Type.Optional(
      Type.Array(Document, {
        description: `Solo al pedir un canal, y si los tiene: sus últimos archivos, como mucho ${limits.asideItems}.`,
      }),
    ),
  },
  { $id: 'Channel' },
);
export type Channel = Static<typeof Channel>;

/** Most comments, latest comment or newest channel first. */
export const ChannelOrder = Type.Union([
  Type.Literal('comments'),
  Type.Literal('activity'),
  Type.Literal('new'),
]);
export type ChannelOrder = Static<typeof ChannelOrder>;

/** Without `$id`, which a schema may contain only once, and therefore without comments. */
const PinnedChannel = Type.Unsafe<Channel>(
  Type.Object({ ...Channel.properties, comments: Type.Array(Type.Object({}), { maxItems: 0 }) }),
);

export const ChannelPage = Type.Object({
  ...ListOf(Channel).properties,
  pinned: Type.Optional(
    Type.Array(PinnedChannel, {
      description:
        'Solo en la primera página: los canales fijados, sin comentarios. También están en `data`.',
    }),
  ),
  announcements: Type.Optional(
    Type.Array(HomeAnnouncement, {
      description: 'Solo en la primera página: los comunicados de estos días, primero el último.',
    }),
  ),
  upcoming: Type.Optional(
    Type.Array(CalendarDate, {
      description: `Solo en la primera página: hasta ${limits.homeDates} fechas de los próximos ${limits.homeDays} días.`,
    }),
  ),
});
export type ChannelPage = Static<typeof ChannelPage>;

/** Body of a new channel. The author is the account of the token; the body's is ignored. */
export const NewChannel = Type.Object({
  name: Text(limits.channelNameChars),
  description: Text(limits.descriptionChars),
  cover: Text(limits.imageUrlBytes),
  coverAlt: Type.Optional(Text(limits.coverAltChars)),
  autor: Type.Optional(Type.Unknown()),
  autorId: Type.Optional(Id()),
  autorImg: Type.Optional(Type.Unknown()),
});
export type NewChannel = Static<typeof NewChannel>;

/** An edit of a channel; omitted fields stay unchanged. `pinned` must be the only field and is for admins. */
export const ChannelEdit = Type.Object({
  name: Type.Optional(Text(limits.channelNameChars)),
  description: Type.Optional(Text(limits.descriptionChars)),
  cover: Type.Optional(Text(limits.imageUrlBytes)),
  coverAlt: Type.Optional(Text(limits.coverAltChars)),
  pinned: Type.Optional(Type.Boolean()),
});
export type ChannelEdit = Static<typeof ChannelEdit>;
