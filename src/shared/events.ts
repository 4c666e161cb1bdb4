import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Id, Instant, Nullable, Text } from './schema.ts';

/** A time as one reads it on a clock, or a whole day. The server checks that it exists. */
const WallTime = Type.String({
  maxLength: 40,
  description: '`2027-03-28T20:30`, o `2027-03-28` si es todo el día.',
});

const EventTime = Type.Object({
  start: WallTime,
  end: Type.Optional(Nullable(WallTime)),
});
export type EventTime = Static<typeof EventTime>;

const Capacity = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: limits.eventCapacity,
    description: 'Cuántas personas caben; null si no hay límite.',
  }),
);

/** The dates of a new comment. */
export const NewEvent = Type.Object({
  title: Text(limits.eventTitleChars),
  location: Type.Optional(Text(limits.eventLocationChars)),
  zone: Type.Optional(
    Type.String({
      maxLength: limits.zoneChars,
      description:
        'La zona horaria (IANA) del navegador. Solo cuenta mientras la comunidad no tenga ninguna.',
    }),
  ),
  allDay: Type.Boolean(),
  capacity: Type.Optional(Capacity),
  dates: Type.Array(EventTime, { minItems: 1, maxItems: limits.eventDates }),
});
export type NewEvent = Static<typeof NewEvent>;

/** A change of dates; omitted fields and dates stay unchanged. `end: null` removes an end. */
export const EventEdit = Type.Object({
  title: Type.Optional(Text(limits.eventTitleChars)),
  location: Type.Optional(Text(limits.eventLocationChars)),
  capacity: Type.Optional(Capacity),
  dates: Type.Optional(
    Type.Array(
      Type.Object({
        position: Type.Integer({ minimum: 0 }),
        start: Type.Optional(WallTime),
        end: Type.Optional(Nullable(WallTime)),
        cancelled: Type.Optional(Type.Boolean()),
        reason: Type.Optional(Text(limits.eventReasonChars)),
      }),
      { maxItems: limits.eventDates },
    ),
  ),
});
export type EventEdit = Static<typeof EventEdit>;

export const EventPhase = Type.Enum(['coming', 'on', 'over'], {
  description: '`coming`: no ha empezado; `on`: ha empezado; `over`: ha terminado.',
});
export type EventPhase = Static<typeof EventPhase>;

const Count = Type.Integer({ minimum: 0 });

export const EventDate = Type.Object({
  position: Type.Integer(),
  start: Type.String({
    description: 'En la zona de la fecha: `2027-03-28T20:30`, o `2027-03-28` si es todo el día.',
  }),
  end: Nullable(Type.String({ description: 'Igual; el último día, si es todo el día.' })),
  startsAt: Instant,
  endsAt: Instant,
  phase: EventPhase,
  cancelled: Type.Boolean(),
  reason: Type.String({ description: 'Por qué se ha cancelado; puede estar vacío.' }),
  yes: Type.Integer({ description: 'Cuántas personas van y caben.' }),
  waiting: Type.Integer({ description: 'Cuántas personas esperan sitio.' }),
  maybe: Count,
  no: Count,
});
export type EventDate = Static<typeof EventDate>;

const common = {
  title: Type.String(),
  location: Type.String({ description: 'Puede estar vacío.' }),
  zone: Type.String({ description: 'La zona horaria (IANA) de las fechas.' }),
  allDay: Type.Boolean(),
  capacity: Nullable(Type.Integer()),
};

/** The dates that a comment carries. */
export const CommentEvent = Type.Object({
  ...common,
  revision: Type.Integer({ description: 'Desde 1; cada cambio la aumenta.' }),
  dates: Type.Array(EventDate),
});
export type CommentEvent = Static<typeof CommentEvent>;

/** One date, with the comment that carries it. */
export const CalendarDate = Type.Object({
  channel: Type.Object({ _id: Type.String(), name: Type.String() }),
  number: Type.Integer({ description: 'El número del comentario que la lleva.' }),
  ...common,
  date: EventDate,
});
export type CalendarDate = Static<typeof CalendarDate>;

export const RsvpAnswer = Type.Enum(['yes', 'maybe', 'no'], {
  description: '`yes`: voy; `maybe`: quizá; `no`: no voy.',
});
export type RsvpAnswer = Static<typeof RsvpAnswer>;

/** An answer of the caller to a date. */
export const Rsvp = Type.Object({
  position: Type.Integer(),
  answer: RsvpAnswer,
  people: Type.Integer(),
  isWaiting: Type.Boolean({ description: 'Si va, pero todavía no cabe.' }),
});
export type Rsvp = Static<typeof Rsvp>;

export const NewRsvp = Type.Object({
  date: Type.Union([Type.Integer({ minimum: 0, maximum: 999 }), Type.Literal('all')], {
    description: 'La posición de la fecha, o `all` para todas las que quedan.',
  }),
  answer: Nullable(RsvpAnswer),
  people: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.rsvpPeople,
      description: 'Con `yes`, cuántas van. Sin él, las de antes, o una.',
    }),
  ),
});
export type NewRsvp = Static<typeof NewRsvp>;

/** What is answered to an answer: the dates with their counts, and all answers of the caller to them. */
export const RsvpResult = Type.Object({ event: CommentEvent, mine: Type.Array(Rsvp) });
export type RsvpResult = Static<typeof RsvpResult>;

/** The caller's answers to the dates of a comment. */
export const CommentRsvps = Type.Object({
  channelId: Type.String(),
  number: Type.Integer(),
  rsvps: Type.Array(Rsvp),
});
export type CommentRsvps = Static<typeof CommentRsvps>;

/** A person who answered. */
export const Attendee = Type.Object({
  id: Type.String(),
  name: Type.String(),
  img: Type.String(),
  answer: RsvpAnswer,
  people: Type.Integer(),
  isWaiting: Type.Boolean(),
});
export type Attendee = Static<typeof Attendee>;

const Month = Type.String({ description: 'Como `2027-03`.' });

/** Dates that start in a month, soonest first. */
export const CalendarPage = Type.Object({
  data: Type.Array(CalendarDate),
  next: Nullable(Type.String()),
  month: Month,
  previous: Nullable(Month),
  following: Nullable(Month),
});
export type CalendarPage = Static<typeof CalendarPage>;

export const CalendarQuery = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: 40, description: 'Un mes, como `2027-03`. Sin él, el de hoy.' }),
  ),
  after: Type.Optional(Id()),
});
