import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant, Nullable, Text } from './schema.ts';

/** Decisions about an exported chat: those that a person makes before anything is written, and `FILE.plan.json`. */
export const Plan = Type.Object(
  {
    channel: Text(limits.channelNameChars, ', del nombre del canal'),
    zone: Type.String({
      maxLength: limits.zoneChars,
      description: 'La zona horaria (IANA) del teléfono que exportó el chat.',
    }),
    dates: Type.Enum(['day-month', 'month-day', 'ask'], {
      description: 'Qué es 3/4: el 3 de abril o el 4 de marzo. `ask` no se acepta: hay que elegir.',
    }),
    firstDay: Type.String({
      maxLength: 10,
      description: 'Lo anterior a este día se queda fuera.',
    }),
    people: Type.Array(
      Type.Object(
        {
          source: Type.String({ maxLength: 1000, description: 'Su nombre en el chat.' }),
          name: Nullable(Text(limits.userNameChars, '; null: lo que escribió se queda fuera')),
        },
        { additionalProperties: false },
      ),
      { maxItems: limits.importedPeople, description: 'Quienes se llaman igual son una persona.' },
    ),
  },
  { additionalProperties: false },
);
export type Plan = Static<typeof Plan>;

/** An account of an exported chat before anything is written. */
export const ChatSummary = Type.Object({
  name: Type.String({ description: 'El nombre del grupo; vacío si el archivo no lo dice.' }),
  dates: Type.Enum(['day-month', 'month-day', 'ask']),
  quoted: Type.Object(
    { count: Type.Integer(), lines: Type.Array(Type.Integer()) },
    {
      description:
        'Líneas que parecen el comienzo de un mensaje y son parte de otro; los números de las primeras.',
    },
  ),
  from: Type.String({ description: 'La hora del primer mensaje en el teléfono, sin zona.' }),
  to: Type.String({ description: 'La del último.' }),
  messages: Type.Integer({ description: 'En cuántos comentarios se convierte.' }),
  people: Type.Array(
    Type.Object({ source: Type.String(), name: Type.String(), messages: Type.Integer() }),
  ),
  attachments: Type.Object({
    count: Type.Integer({ description: 'Imágenes y archivos que están en el ZIP.' }),
    bytes: Type.Integer(),
  }),
  leftOut: Type.Object(
    {
      notice: Type.Integer({ description: 'Avisos del propio WhatsApp.' }),
      call: Type.Integer({ description: 'Llamadas.' }),
      deleted: Type.Integer({ description: 'Mensajes que se eliminaron.' }),
      omitted: Type.Integer({ description: 'Archivos que se exportaron sin incluirlos.' }),
      missing: Type.Integer({ description: 'Archivos que no están en el ZIP.' }),
      unreadable: Type.Integer({ description: 'Lo que no se entiende.' }),
    },
    { description: 'Cuánto se queda fuera, y por qué.' },
  ),
  split: Type.Integer({ description: 'Mensajes tan largos que serán varios comentarios.' }),
  cut: Type.Integer({ description: 'Mensajes de los que el final se queda fuera.' }),
});
export type ChatSummary = Static<typeof ChatSummary>;

/** Parts of a chat that were left out while it was brought. */
export const LeftOutCounts = Type.Object({
  older: Type.Integer({ description: 'Mensajes anteriores a lo que ya se había traído.' }),
  images: Type.Integer({ description: 'Imágenes que no se pudieron abrir.' }),
  files: Type.Integer({ description: 'Archivos de una clase o un tamaño que no se admite.' }),
});
export type LeftOutCounts = Static<typeof LeftOutCounts>;

/** A chat that became a channel, or is becoming one. */
export const ChatImport = Type.Object({
  channelId: Type.String(),
  name: Type.String({ description: 'El del canal.' }),
  state: Type.Enum(['running', 'stopped', 'cancelled', 'full', 'failed', 'done'], {
    description:
      '`stopped`: el servidor se paró a medias. `full`: el disco se llenó. Menos `done`, todos siguen donde estaban al traer el mismo archivo.',
  }),
  done: Type.Integer({ description: 'Mensajes que ya están.' }),
  total: Type.Integer(),
  leftOut: LeftOutCounts,
  startedAt: Instant,
  isClaimed: Type.Boolean({
    description: 'Alguien recuperó lo que escribió, así que ya no se puede deshacer.',
  }),
  isClosed: Type.Boolean({ description: 'Nadie escribe en él, así que admite más.' }),
});
export type ChatImport = Static<typeof ChatImport>;

export const MovingIn = Type.Object({
  /** The file that was uploaded and is not erased yet. */
  upload: Nullable(
    Type.Object({
      name: Type.String(),
      bytes: Type.Integer(),
      erasedAt: Instant,
      problem: Nullable(Type.String({ description: 'Por qué no se puede traer, y qué hacer.' })),
      summary: Nullable(ChatSummary),
      plan: Nullable(
        Type.Unsafe<Plan>({ ...Plan, description: 'Lo que se propone; lo decide quien lo trae.' }),
      ),
    }),
  ),
  imports: Type.Array(ChatImport, { description: 'Los últimos primero.' }),
});
export type MovingIn = Static<typeof MovingIn>;

/** Body that starts to bring the uploaded chat. */
export const StartImport = Type.Object({ plan: Plan });
export type StartImport = Static<typeof StartImport>;
