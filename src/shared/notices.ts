import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant, Nullable } from './schema.ts';

const NoticeKind = Type.Enum(['reply', 'mention', 'thanks']);
export type NoticeKind = Static<typeof NoticeKind>;

/** Which comments of a channel are news: all, what concerns the person, or none. */
export const Level = Type.Enum(['all', 'mine', 'none'], {
  description:
    '`all`: todo; `mine`: respuestas, menciones y gracias, como al principio; `none`: nada.',
});
export type Level = Static<typeof Level>;

export const ChannelLevel = Type.Object({ level: Level });
export type ChannelLevel = Static<typeof ChannelLevel>;

/** Answers, mentions or thanks in a channel, merged: all new ones, or all others. */
export const Notice = Type.Object({
  id: Type.Integer({ description: 'El del último aviso de los que reúne.' }),
  kind: NoticeKind,
  channel: Type.Object({ _id: Type.String(), name: Type.String() }),
  number: Type.Integer({
    description: 'El primer comentario, si son nuevos; si no, el último.',
  }),
  people: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), img: Type.String() }), {
    description: `Las últimas; como mucho, ${limits.noticePeople}.`,
  }),
  count: Type.Integer({ description: 'Cuántas personas son en total.' }),
  excerpt: Type.String({ description: 'El comienzo de ese comentario, sin lo que cita.' }),
  createdAt: Instant,
  isNew: Type.Boolean(),
});
export type Notice = Static<typeof Notice>;

export const NoticePage = Type.Object({
  data: Type.Array(Notice),
  channels: Type.Array(
    Type.Object({
      _id: Type.String(),
      name: Type.String(),
      unread: Type.Integer({ description: `Como mucho, ${limits.unreadCount + 1}.` }),
    }),
    { description: 'Los canales que la cuenta sigue, solo en la primera página.' },
  ),
  next: Nullable(Type.String()),
});
export type NoticePage = Static<typeof NoticePage>;

export const SeenNotices = Type.Object({
  id: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'El del último aviso que se ha mostrado.',
  }),
});
export type SeenNotices = Static<typeof SeenNotices>;
