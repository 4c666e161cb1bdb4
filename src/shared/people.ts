import Type, { type Static } from 'typebox';
import { Comment } from './comments.ts';
import { limits } from './limits.ts';
import { Role } from './moderation.ts';
import { Follow, Level } from './notifications.ts';
import { Id, Instant, ListOf, Nullable } from './schema.ts';

/** The public data of an account. */
export const Person = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    img: Type.String({ description: 'Vacío si no tiene.' }),
    role: Type.Optional(Type.Enum(['moderator', 'admin'])),
    createdAt: Instant,
    channelCount: Type.Integer(),
    hiddenBy: Type.Optional(
      Type.String({
        description: 'La decisión que oculta todo lo suyo; solo quien modera ve a esa persona.',
      }),
    ),
    isUnseen: Type.Optional(
      Type.Literal(true, {
        description: 'Nadie ha aprobado todavía nada suyo; solo quien modera ve a esa persona.',
      }),
    ),
  },
  { $id: 'Person' },
);
export type Person = Static<typeof Person>;

/** A person who gave thanks for a comment. */
export const Thankful = Type.Pick(Person, ['id', 'name', 'img']);
export type Thankful = Static<typeof Thankful>;

/** A comment on its author's page, with its channel. */
export const PersonComment = Type.Object({
  comment: Comment,
  channel: Type.Object({ _id: Type.String(), name: Type.String() }),
});
export type PersonComment = Static<typeof PersonComment>;

export const PersonCommentPage = ListOf(PersonComment);
export type PersonCommentPage = Static<typeof PersonCommentPage>;

/** A person whom a comment can mention. */
export const MentionCandidate = Type.Object({
  id: Type.String(),
  name: Type.String(),
  img: Type.String(),
  lastCommentAt: Type.Union([Instant, Type.Null()], {
    description: 'Del último entre los mil más nuevos del canal; null si no hay ninguno.',
  }),
});
export type MentionCandidate = Static<typeof MentionCandidate>;

export const MentionCandidates = Type.Object({ data: Type.Array(MentionCandidate) });
export type MentionCandidates = Static<typeof MentionCandidates>;

/** An account's reading position in a channel. */
const ReadingPosition = Type.Object({
  channelId: Id(),
  number: Type.Integer({ minimum: 0 }),
});
export type ReadingPosition = Static<typeof ReadingPosition>;

export const ReadingPositions = Type.Union([
  ReadingPosition,
  Type.Array(ReadingPosition, { maxItems: limits.readsPerRequest }),
]);

/** Counts of new items for the signed-in person, and any restriction on writing. */
export const News = Type.Object({
  role: Role,
  acknowledged: Type.Array(Type.String(), {
    description: 'Los ids de los comunicados de estos días que ha dicho que ha leído.',
  }),
  unreadNotifications: Type.Integer({
    description: 'Reunidos por canal y clase; las decisiones, una a una.',
  }),
  pendingModeration: Type.Integer(),
  reads: Type.Record(
    Type.String(),
    Type.Object({
      number: Type.Integer(),
      unread: Type.Integer({ description: `Como mucho, ${limits.unreadCount + 1}.` }),
      level: Level,
      last: Type.Optional(
        Type.Object(
          { autor: Type.String(), excerpt: Type.String() },
          { description: 'Quién escribió el último comentario y cómo empieza, si hay sin leer.' },
        ),
      ),
    }),
  ),
  newChannels: Type.Array(Type.String(), {
    description: `De los canales pedidos, los que tienen menos de ${limits.newChannelDays} días y nunca se han abierto.`,
  }),
  follow: Follow,
  reviewsNext: Type.Boolean({
    description: 'Si lo próximo que publique esperará, por no haberse aprobado aún nada suyo.',
  }),
  hasPending: Type.Boolean({ description: 'Si `/api/user/pending` tiene algo.' }),
  hasHidden: Type.Boolean({
    description: 'Si `/api/user/decisions` tiene decisiones en vigor que ocultan algo suyo.',
  }),
  restriction: Nullable(
    Type.Object({
      state: Type.Enum(['hidden', 'silenced', 'suspended']),
      until: Nullable(Instant),
      decision: Type.String(),
    }),
  ),
});
export type News = Static<typeof News>;
