import Type, { type Static } from 'typebox';
import { DeletionRequested, Password, Warn } from './account-settings.ts';
import { limits } from './limits.ts';
import { Id, Nullable, Text } from './schema.ts';

export const User = Type.Object(
  { id: Type.String(), name: Type.String(), email: Type.String(), img: Nullable(Type.String()) },
  { $id: 'User' },
);
export type User = Static<typeof User>;

/** The signed-in account with its number of channels. */
export const Profile = Type.Object(
  {
    ...User.properties,
    channelCount: Type.Integer(),
    emailConfirmed: Type.Boolean({
      description: 'Si la dirección está confirmada: sin eso no sirve para recuperar el acceso.',
    }),
    /** Null unless the owner requested it. */
    deletion: Nullable(DeletionRequested),
  },
  { $id: 'Profile' },
);
export type Profile = Static<typeof Profile>;

export const SignUp = Type.Object({
  name: Text(limits.userNameChars),
  email: Text(limits.emailChars),
  password: Password,
  warn: Type.Optional(Warn),
  img: Type.Optional(Nullable(Text(limits.imageUrlBytes))),
  invitation: Type.Optional(Id({ description: 'El código de una invitación.' })),
  about: Type.Optional(Text(limits.aboutChars)),
});
export type SignUp = Static<typeof SignUp>;

/** `token` is the part of the link after `#`. */
export const SetPassword = Type.Object({
  token: Id(),
  password: Password,
  warn: Type.Optional(Warn),
});
export type SetPassword = Static<typeof SetPassword>;
/** Number of other ways to sign in that a new password has revoked, besides sessions and remembered browsers. */
export const EndedWays = Type.Object({ passkeys: Type.Integer(), recoveryCodes: Type.Integer() });
export type EndedWays = Static<typeof EndedWays>;

/** After a new password by a mailed link, whose reader has the address. */
export const PasswordSet = Type.Object({
  email: Type.String({ description: 'La dirección a la que llegó el enlace.' }),
  ...EndedWays.properties,
});
export type PasswordSet = Static<typeof PasswordSet>;

export const SignedIn = Type.Object({ token: Type.String(), user: User });
export type SignedIn = Static<typeof SignedIn>;

/** The account that the browser has noted as its own: the cookie of another one opens nothing. */
export const Resume = Type.Object({ accountId: Id() });
export type Resume = Static<typeof Resume>;

/** `id` and `email`, when sent, must be those of the token's account. */
export const UpdateImage = Type.Object({
  id: Type.Optional(Id()),
  email: Type.Optional(Text(limits.emailChars)),
  img: Nullable(Text(limits.imageUrlBytes)),
});
export type UpdateImage = Static<typeof UpdateImage>;
