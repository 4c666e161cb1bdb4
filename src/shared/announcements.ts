import Type, { type Static } from 'typebox';
import { Instant, Nullable } from './schema.ts';

const Day = Type.String({
  maxLength: 10,
  description: 'El último día, como `2027-03-28`, en la zona de la comunidad.',
});

/** What makes a new comment an announcement. */
export const NewAnnouncement = Type.Object({
  until: Type.Optional(Nullable(Day)),
  confirm: Type.Optional(Type.Boolean({ description: 'Pide confirmación de lectura.' })),
});
export type NewAnnouncement = Static<typeof NewAnnouncement>;

/** That a comment is an announcement: until when it stands on top of home, and whether it asks to confirm that it was read. */
export const Announcement = Type.Object({ until: Day, confirm: Type.Boolean() });
export type Announcement = Static<typeof Announcement>;

/** An announcement on top of home. */
export const HomeAnnouncement = Type.Object({
  id: Type.String({ description: 'El del comentario.' }),
  channel: Type.Object({ _id: Type.String(), name: Type.String() }),
  number: Type.Integer(),
  autor: Type.String(),
  comment: Type.String({ description: 'Su comienzo.' }),
  createdAt: Instant,
  confirm: Type.Boolean(),
});
export type HomeAnnouncement = Static<typeof HomeAnnouncement>;

/** Whom an announcement reaches, and how. */
export const Reach = Type.Object({
  members: Type.Integer({ description: 'Los demás miembros.' }),
  mail: Type.Integer({ description: 'De ellos, por correo.' }),
  push: Type.Integer({ description: 'De ellos, con aviso en un dispositivo.' }),
  onlyHere: Type.Integer({ description: 'De ellos, solo al entrar.' }),
  mailDays: Type.Integer({ description: 'Días que tardan los correos, con el límite diario.' }),
});
export type Reach = Static<typeof Reach>;

/** A member, and when they acknowledged an announcement. */
const Acknowledgement = Type.Object({
  id: Type.String(),
  name: Type.String(),
  acknowledgedAt: Nullable(Instant),
});
export const Acknowledgements = Type.Object({
  data: Type.Array(Acknowledgement),
  next: Nullable(Type.String()),
  acknowledged: Type.Integer(),
  members: Type.Integer(),
  remindedAt: Nullable(Instant),
  mayRemind: Type.Boolean({ description: 'Si ya se puede recordar a los demás.' }),
});
export type Acknowledgements = Static<typeof Acknowledgements>;
