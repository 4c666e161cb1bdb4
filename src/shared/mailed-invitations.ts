import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant, Nullable, Text } from './schema.ts';

const Invitee = Type.Object({
  email: Text(limits.emailChars),
  name: Type.Optional(Text(limits.userNameChars)),
});

/** Whom to invite by mail. */
export const Invitees = Type.Object({
  invitees: Type.Array(Invitee, { minItems: 1, maxItems: limits.invitedAtOnce }),
});
export type Invitees = Static<typeof Invitees>;

/** An invitation that was mailed, or the address of a member, who needs none. */
export const MailedInvitation = Type.Object({
  id: Nullable(Type.String({ description: 'null: la dirección es de un miembro.' })),
  email: Type.String(),
  name: Type.String({ description: 'Vacío si no se dijo.' }),
  state: Type.Enum(['waiting', 'joined', 'refused', 'member']),
  sentAt: Nullable(Instant),
  mayRepeat: Type.Boolean({ description: 'Si ya se puede enviar otra vez.' }),
});
export type MailedInvitation = Static<typeof MailedInvitation>;

export const MailedInvitations = Type.Object({
  data: Type.Array(MailedInvitation),
});
export type MailedInvitations = Static<typeof MailedInvitations>;

export const MailedInvitationPage = Type.Object({
  ...MailedInvitations.properties,
  next: Nullable(Type.String()),
  invited: Type.Integer({ description: 'Las que valen o se usaron.' }),
  joined: Type.Integer({ description: 'De ellas, quienes ya tienen cuenta.' }),
  left: Type.Integer({ description: 'A cuántas personas más se puede invitar hoy.' }),
});
export type MailedInvitationPage = Static<typeof MailedInvitationPage>;
