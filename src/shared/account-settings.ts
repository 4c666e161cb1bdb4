import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant, Nullable, Text } from './schema.ts';

export const Password = Type.String({
  maxLength: limits.passwordBytes * limits.rawFactor,
  description: `Como mucho, ${limits.passwordBytes} bytes en UTF-8, normalizada en NFC.`,
});

/** `remember`: the browser stays signed in. */
export const SignIn = Type.Object({ remember: Type.Optional(Type.Boolean()) });
export type SignIn = Static<typeof SignIn>;

/** Only the parts that change. */
export const AccountEdit = Type.Object({
  name: Type.Optional(Text(limits.userNameChars)),
  email: Type.Optional(Text(limits.emailChars)),
  password: Type.Optional(Password),
  currentPassword: Password,
});
export type AccountEdit = Static<typeof AccountEdit>;

/** Where an account is signed in: a remembered browser with all its tabs, or one tab. */
export const SessionInfo = Type.Object({
  id: Type.String(),
  /** For people: "Firefox en Android". */
  browser: Type.String(),
  createdAt: Instant,
  lastUsedAt: Instant,
  isCurrent: Type.Boolean(),
  isRemembered: Type.Boolean(),
});
export type SessionInfo = Static<typeof SessionInfo>;
export const SessionList = Type.Object({ data: Type.Array(SessionInfo) });
export type SessionList = Static<typeof SessionList>;

/** What becomes of what the account wrote. */
export const DeletedContent = Type.Union([Type.Literal('anonymous'), Type.Literal('erase')]);
export type DeletedContent = Static<typeof DeletedContent>;
export const DeleteAccount = Type.Object({ currentPassword: Password, content: DeletedContent });
export type DeleteAccount = Static<typeof DeleteAccount>;

/** What a deletion does, for its owner to keep. */
export const DeletionReceipt = Type.Object({
  id: Type.String(),
  requestedAt: Instant,
  content: DeletedContent,
  comments: Type.Integer(),
  channels: Type.Integer(),
  images: Type.Integer(),
  /** What stays, why and until when. */
  stays: Type.Array(Type.Object({ what: Type.String(), why: Type.String(), until: Type.String() })),
});
export type DeletionReceipt = Static<typeof DeletionReceipt>;
export const DeletionRequested = Type.Object({ receipt: DeletionReceipt, endsAt: Instant });
export type DeletionRequested = Static<typeof DeletionRequested>;

/** New codes, shown this once. */
export const RecoveryCodes = Type.Object({ codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;
export const CreateRecoveryCodes = Type.Object({ currentPassword: Password });
export type CreateRecoveryCodes = Static<typeof CreateRecoveryCodes>;

/** How many codes are left of those made at `createdAt`, which is null without any. */
export const RecoveryCodesLeft = Type.Object({
  left: Type.Integer(),
  createdAt: Nullable(Instant),
});
export type RecoveryCodesLeft = Static<typeof RecoveryCodesLeft>;
export const RecoveryReminder = Type.Object({ isDue: Type.Boolean() });
export type RecoveryReminder = Static<typeof RecoveryReminder>;

/** A new password by one of the codes. */
export const Recover = Type.Object({
  email: Text(limits.emailChars),
  code: Type.String({
    maxLength: limits.recoveryCodeChars,
    description: 'Uno de los códigos impresos; da igual con mayúsculas, espacios o guiones.',
  }),
  password: Password,
});
export type Recover = Static<typeof Recover>;

export const PasskeyInfo = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
});
export type PasskeyInfo = Static<typeof PasskeyInfo>;
export const PasskeyList = Type.Object({ data: Type.Array(PasskeyInfo) });
export type PasskeyList = Static<typeof PasskeyList>;
