import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Instant, Nullable, Text } from './schema.ts';

export const Password = Type.String({
  maxLength: limits.passwordBytes * limits.rawFactor,
  description: `Como mucho, ${limits.passwordBytes} bytes en UTF-8, normalizada en NFC.`,
});

/** Whether the server refuses a new password that is easily guessed, which it otherwise accepts. */
export const Warn = Type.Boolean({
  description:
    'Con `true`, una contraseña nueva que se adivina fácilmente se rechaza con `weak_password`. Sin él se acepta cualquiera.',
});

/** With `remember`, the browser stays signed in. */
export const SignIn = Type.Object({ remember: Type.Optional(Type.Boolean()) });
export type SignIn = Static<typeof SignIn>;

/** Only the fields that change. */
export const AccountEdit = Type.Object({
  name: Type.Optional(Text(limits.userNameChars)),
  email: Type.Optional(Text(limits.emailChars)),
  password: Type.Optional(Password),
  warn: Type.Optional(Warn),
  currentPassword: Password,
});
export type AccountEdit = Static<typeof AccountEdit>;

/** An entry of the list of sessions: a remembered browser with all its tabs, or one tab. */
export const SessionInfo = Type.Object({
  id: Type.String(),
  /** Display name, such as "Firefox en Android". */
  browser: Type.String(),
  createdAt: Instant,
  lastUsedAt: Instant,
  isCurrent: Type.Boolean(),
  isRemembered: Type.Boolean(),
});
export type SessionInfo = Static<typeof SessionInfo>;
export const SessionList = Type.Object({ data: Type.Array(SessionInfo) });
export type SessionList = Static<typeof SessionList>;

/** Whether a deletion makes the account's texts anonymous or erases them. */
export const DeletedContent = Type.Union([Type.Literal('anonymous'), Type.Literal('erase')]);
export type DeletedContent = Static<typeof DeletedContent>;
export const DeleteAccount = Type.Object({ currentPassword: Password, content: DeletedContent });
export type DeleteAccount = Static<typeof DeleteAccount>;

/** A summary of a deletion for the account's owner. */
export const DeletionReceipt = Type.Object({
  requestedAt: Instant,
  content: DeletedContent,
  /** Counts as of the response. */
  comments: Type.Integer(),
  channels: Type.Integer(),
  images: Type.Integer(),
  /** Data that is not deleted, with the reason and the time limit. */
  stays: Type.Array(Type.Object({ what: Type.String(), why: Type.String(), until: Type.String() })),
});
export type DeletionReceipt = Static<typeof DeletionReceipt>;
export const DeletionRequested = Type.Object({ receipt: DeletionReceipt, endsAt: Instant });
export type DeletionRequested = Static<typeof DeletionRequested>;

/** New codes, which are shown only once. */
export const RecoveryCodes = Type.Object({ codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;
export const CreateRecoveryCodes = Type.Object({ currentPassword: Password });
export type CreateRecoveryCodes = Static<typeof CreateRecoveryCodes>;

/** Number of codes left from the set created at `createdAt`, which is null if there are none. */
export const RecoveryCodesLeft = Type.Object({
  left: Type.Integer(),
  createdAt: Nullable(Instant),
});
export type RecoveryCodesLeft = Static<typeof RecoveryCodesLeft>;
/** Reminders to show the owner after a sign-in. */
export const RecoveryReminder = Type.Object({
  isDue: Type.Boolean(),
  /** When an admin last created a password link for the account, within the last 30 days. */
  passwordLinkAt: Nullable(Instant),
});
export type RecoveryReminder = Static<typeof RecoveryReminder>;

/** Sets a new password with one of the codes, or without a code requests a link by e-mail. */
export const Recover = Type.Object({
  email: Text(limits.emailChars),
  code: Type.Optional(
    Type.String({
      maxLength: limits.recoveryCodeChars,
      description:
        'Uno de los códigos impresos; las mayúsculas, los espacios y los guiones dan igual. Sin código se envía un enlace, si el foro envía correo.',
    }),
  ),
  password: Type.Optional(Password),
  warn: Type.Optional(Warn),
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
