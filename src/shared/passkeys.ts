import Type, { type Static } from 'typebox';
import { Password } from './account-settings.ts';
import { limits } from './limits.ts';
import { Text } from './schema.ts';

/** Bytes as base64url, as in WebAuthn's JSON. */
const Base64Url = (maxBytes: number) =>
  Type.String({ maxLength: Math.ceil((maxBytes * 4) / 3), pattern: '^[A-Za-z0-9_-]*$' });

/** WebAuthn limits ids to 1023 bytes. */
export const PasskeyId = Base64Url(1023);

const PublicKey = Type.Literal('public-key');
const Transports = Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 });
const Descriptor = Type.Object({ type: PublicKey, id: Type.String(), transports: Transports });

/** Input of `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const PasskeyCreation = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: PublicKey, alg: Type.Integer() })),
  timeout: Type.Integer(),
  attestation: Type.String(),
  excludeCredentials: Type.Array(Descriptor),
  authenticatorSelection: Type.Object({
    residentKey: Type.String(),
    requireResidentKey: Type.Boolean(),
    userVerification: Type.String(),
  }),
});
export type PasskeyCreation = Static<typeof PasskeyCreation>;

/** Input of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const PasskeyRequest = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.String(),
});
export type PasskeyRequest = Static<typeof PasskeyRequest>;

export const StartPasskey = Type.Object({ currentPassword: Password });
export type StartPasskey = Static<typeof StartPasskey>;

/** `toJSON` of the result of `navigator.credentials.create`. */
export const CreatedCredential = Type.Object({
  id: PasskeyId,
  rawId: PasskeyId,
  type: PublicKey,
  response: Type.Object({
    clientDataJSON: Base64Url(4096),
    attestationObject: Base64Url(8192),
    transports: Type.Optional(Transports),
  }),
});
export type CreatedCredential = Static<typeof CreatedCredential>;

export const AddPasskey = Type.Object({
  name: Text(limits.passkeyNameChars),
  credential: CreatedCredential,
});
export type AddPasskey = Static<typeof AddPasskey>;

/** `toJSON` of the result of `navigator.credentials.get`. */
export const UsedCredential = Type.Object({
  id: PasskeyId,
  rawId: PasskeyId,
  type: PublicKey,
  response: Type.Object({
    clientDataJSON: Base64Url(4096),
    authenticatorData: Base64Url(4096),
    signature: Base64Url(4096),
    userHandle: Type.Optional(Base64Url(64)),
  }),
});
export type UsedCredential = Static<typeof UsedCredential>;

export const PasskeySignIn = Type.Object({
  credential: UsedCredential,
  remember: Type.Optional(Type.Boolean()),
});
export type PasskeySignIn = Static<typeof PasskeySignIn>;
