import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant, Nullable, Text } from './schema.ts';

/** An option of a new poll: a text, or a day and hour, of which the server writes the text. */
const NewPollOption = Type.Object({
  text: Type.Optional(Text(limits.pollOptionChars)),
  start: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 40,
        description:
          'Un día y una hora, como `2027-03-28T20:30`, en vez de un texto, que escribe el servidor.',
      }),
    ),
  ),
});

/** The poll of a new comment. */
export const NewPoll = Type.Object({
  multiple: Type.Boolean({ description: 'Si se pueden elegir varias opciones.' }),
  secret: Type.Boolean({ description: 'Si no se guarda quién votó qué.' }),
  closesAt: Type.String({
    maxLength: 40,
    description: `Un instante ISO 8601: de ${limits.pollMinutes} minutos a ${limits.pollDays} días desde ahora.`,
  }),
  options: Type.Array(NewPollOption, {
    minItems: limits.fewestPollOptions,
    maxItems: limits.pollOptions,
  }),
});
export type NewPoll = Static<typeof NewPoll>;

const Position = Type.Integer({ minimum: 0, maximum: limits.pollOptions - 1 });

/** The poll that a comment carries. The counts are null while it is open, and for secret votes of fewer than three people. */
export const CommentPoll = Type.Object({
  multiple: Type.Boolean(),
  secret: Type.Boolean(),
  closesAt: Instant,
  isClosed: Type.Boolean(),
  restartedAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Cuándo empezó de nuevo, sin los votos de antes, al restaurar una copia.',
    }),
  ),
  voters: Nullable(Type.Integer({ description: 'Cuántas personas votaron.' })),
  options: Type.Array(
    Type.Object({
      position: Type.Integer(),
      text: Type.String(),
      start: Nullable(Type.String({ description: 'Si la opción es un día y una hora.' })),
      votes: Nullable(Type.Integer()),
    }),
  ),
});
export type CommentPoll = Static<typeof CommentPoll>;

/** A vote of the caller. */
export const NewVote = Type.Object({
  options: Type.Array(Position, { minItems: 1, maxItems: limits.pollOptions, uniqueItems: true }),
});
export type NewVote = Static<typeof NewVote>;

/** The counts of a poll, which voters of a named one see before it is closed. */
export const PollResult = Type.Object({
  voters: Type.Integer(),
  votes: Type.Array(Type.Integer(), { description: 'De cada opción, en su orden.' }),
});
export type PollResult = Static<typeof PollResult>;

/** The caller's vote in the poll of a comment. */
export const CommentVote = Type.Object({
  channelId: Type.String(),
  number: Type.Integer({ description: 'El número del comentario.' }),
  options: Nullable(
    Type.Array(Position, { description: 'Lo votado; null si el voto es secreto.' }),
  ),
  result: Nullable(PollResult),
});
export type CommentVote = Static<typeof CommentVote>;

/** An open poll, with the comment that carries it. */
export const OpenPoll = Type.Object({
  channel: Type.Object({ _id: Type.String(), name: Type.String() }),
  number: Type.Integer(),
  title: Type.String({ description: 'El comienzo del comentario, o la primera opción.' }),
  closesAt: Instant,
});
export type OpenPoll = Static<typeof OpenPoll>;
