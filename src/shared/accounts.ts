import Type, { type Static } from 'typebox';
import { Nullable } from './schema.ts';

export const User = Type.Object(
  { id: Type.String(), name: Type.String(), email: Type.String(), img: Nullable(Type.String()) },
  { $id: 'User' },
);
export type User = Static<typeof User>;

/** The caller's own account, with the figure its profile shows. */
export const Profile = Type.Object(
  { ...User.properties, channelCount: Type.Integer() },
  { $id: 'Profile' },
);
export type Profile = Static<typeof Profile>;

export const SignUp = Type.Object({
  name: Type.String(),
  email: Type.String(),
  password: Type.String(),
  img: Type.Optional(Nullable(Type.String())),
});
export type SignUp = Static<typeof SignUp>;

/** `token` is what the link carries after its `#`. */
export const SetPassword = Type.Object({ token: Type.String(), password: Type.String() });
export type SetPassword = Static<typeof SetPassword>;

export const SignedIn = Type.Object({ token: Type.String(), user: User });
export type SignedIn = Static<typeof SignedIn>;

/** `id` and `email`, when sent, must be the token's own. */
export const UpdateImage = Type.Object({
  id: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  img: Nullable(Type.String()),
});
export type UpdateImage = Static<typeof UpdateImage>;
