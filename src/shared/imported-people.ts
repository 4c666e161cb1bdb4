import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Id, Instant, ListOf, Nullable, Text } from './schema.ts';

/** A person who wrote in a chat that moved in, for the staff. */
export const ImportedPerson = Type.Object({
  id: Type.String(),
  name: Type.String(),
  comments: Type.Integer({ description: 'Lo que escribió en el chat, también lo oculto.' }),
  state: Type.Enum(['open', 'claimed', 'leaving'], {
    description:
      '`claimed`: una cuenta recuperó sus mensajes. `leaving`: ha pedido que se retiren, y aún puede cancelarlo.',
  }),
  claimedBy: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  until: Nullable(
    Type.String({
      format: 'date-time',
      description: `Hasta cuándo se pueden devolver los mensajes (${limits.trashDays} días), o cuándo se retiran.`,
    }),
  ),
});
export type ImportedPerson = Static<typeof ImportedPerson>;

export const ImportedPeople = ListOf(ImportedPerson);
export type ImportedPeople = Static<typeof ImportedPeople>;

/** `claim`: to get back one's words with an account. `withdraw`: to have them removed without one. */
export const NewPersonLink = Type.Object({ kind: Type.Enum(['claim', 'withdraw']) });
export type NewPersonLink = Static<typeof NewPersonLink>;

export const PersonLink = Type.Object({ url: Type.String() });
export type PersonLink = Static<typeof PersonLink>;

export const NewClaim = Type.Object({ invitation: Text(limits.imageUrlBytes) });
export type NewClaim = Static<typeof NewClaim>;

export const Claim = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'Con el que escribió en el chat.' }),
  channelId: Type.String(),
  channel: Type.String({ description: 'El nombre del canal.' }),
  comments: Type.Integer(),
  until: Instant,
});
export type Claim = Static<typeof Claim>;

export const ClaimList = Type.Object({
  data: Type.Array(Claim, { description: 'Los que aún se pueden devolver.' }),
});
export type ClaimList = Static<typeof ClaimList>;

export const PersonKey = Type.Object({ id: Id(), person: Id() });
