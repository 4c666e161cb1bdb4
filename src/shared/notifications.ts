import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { DecisionAction, SubjectKind } from './moderation.ts';
import { Id, Instant, Nullable } from './schema.ts';

const PersonalKind = Type.Enum(
  ['reply', 'mention', 'thanks', 'comment', 'channel', 'announcement', 'poll'],
  {
    description:
      '`announcement`: un comunicado para todos los miembros; `comment`: han escrito en un canal que se sigue; `channel`: hay canales nuevos, y `channel` es el último; `poll`: se ha cerrado una encuesta propia, o en la que se votó.',
  },
);

/** Which comments of a channel count as news: all, only those that concern the person, or none. */
export const Level = Type.Enum(['all', 'mine', 'none'], {
  description: '`all`: todo; `mine`: respuestas, menciones y gracias; `none`: nada.',
});
export type Level = Static<typeof Level>;

/** The level of channels for which a person never chose one. */
export const Follow = Type.Enum(['all', 'mine'], {
  description:
    'Los canales para los que nunca se ha elegido. `all`: todo; `mine`: respuestas, menciones y gracias.',
});
export type Follow = Static<typeof Follow>;

export const ChannelLevel = Type.Object({ level: Level });
export type ChannelLevel = Static<typeof ChannelLevel>;

/** Replies, mentions, thanks or comments in a channel, or new channels, grouped: either all new ones or all others. */
export const Notification = Type.Object({
  id: Type.Integer({ description: 'El del último aviso de los que reúne.' }),
  kind: PersonalKind,
  channel: Type.Object({ _id: Type.String(), name: Type.String() }),
  number: Nullable(
    Type.Integer({
      description: 'El primer comentario, si son nuevos; si no, el último. null para `channel`.',
    }),
  ),
  people: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), img: Type.String() }), {
    description: `Las últimas; como mucho, ${limits.notificationPeople}.`,
  }),
  count: Type.Integer({
    description: 'Cuántas personas son en total; para `channel`, cuántos canales.',
  }),
  excerpt: Type.String({ description: 'El comienzo de ese comentario, sin lo que cita.' }),
  createdAt: Instant,
  isNew: Type.Boolean(),
});
export type Notification = Static<typeof Notification>;

/** A decision about the account or what it wrote, or the answer to its appeal. */
export const DecisionNotification = Type.Object({
  id: Type.Integer(),
  kind: Type.Literal('decision'),
  decisionId: Type.String(),
  action: DecisionAction,
  subject: SubjectKind,
  /** The channel of a published post; null for all other decisions, and once visitors do not see the channel. */
  channel: Nullable(Type.Object({ _id: Type.String(), name: Type.String() })),
  number: Nullable(Type.Integer({ description: 'El del comentario que se ha publicado.' })),
  excerpt: Type.String({ description: 'El motivo, si lo hay.' }),
  createdAt: Instant,
  isNew: Type.Boolean(),
});
export type DecisionNotification = Static<typeof DecisionNotification>;

const Told = Type.Object({
  start: Type.String(),
  end: Nullable(Type.String()),
  location: Type.String(),
});

/** That dates changed, that there is room for somebody who waited, or that a date is tomorrow. */
export const EventNotification = Type.Object({
  id: Type.Integer(),
  kind: Type.Enum(['event', 'place', 'reminder'], {
    description:
      '`event`: algo de las fechas ha cambiado; `place`: ya hay sitio; `reminder`: falta un día o menos.',
  }),
  channel: Nullable(Type.Object({ _id: Type.String(), name: Type.String() })),
  number: Type.Integer({ description: 'El del comentario que lleva las fechas.' }),
  title: Type.String({ description: 'Vacío si ya no se ve.' }),
  dates: Type.Array(
    Type.Object({
      position: Type.Integer(),
      ...Told.properties,
      cancelled: Type.Boolean({ description: 'Si no se hace, o ya no se ve.' }),
      reason: Type.String(),
      before: Nullable(Told),
    }),
    { description: 'Las fechas de las que se avisa.' },
  ),
  excerpt: Type.String({
    description: 'Si son varias, una línea por fecha, o por lo que se dice de más de tres.',
  }),
  createdAt: Instant,
  isNew: Type.Boolean(),
});
export type EventNotification = Static<typeof EventNotification>;

export type AnyNotification = Notification | DecisionNotification | EventNotification;
export type NotificationKind = AnyNotification['kind'];

export const NotificationPage = Type.Object({
  data: Type.Array(Type.Union([Notification, DecisionNotification, EventNotification])),
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
export type NotificationPage = Static<typeof NotificationPage>;

export const SeenNotifications = Type.Object({
  id: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'El del último aviso que se ha mostrado; 0 si solo se mostraron decisiones.',
  }),
  decisionId: Type.Optional(
    Id({
      description:
        'El de la última decisión que se ha mostrado fuera de la lista de avisos. Los demás avisos siguen sin ver.',
    }),
  ),
});
export type SeenNotifications = Static<typeof SeenNotifications>;
