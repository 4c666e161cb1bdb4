import { fieldsOf } from '../../../shared/fields-of.ts';
import type { CreatedCredential, UsedCredential } from '../../../shared/passkeys.ts';
import { ApiError } from '../../http/api-error.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE algorithms offered to authenticators, best first: EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257];

/** A stored WebAuthn credential. */
export interface Passkey {
  id: string;
  /** COSE key, base64url. */
  publicKey: string;
  counter: number;
}

// The library takes 30 MB of memory, so it is loaded when the first passkey is checked.
const loadLibrary = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** Reads the challenge from a credential. @throws ApiError `passkey_failed` */
export function challengeOf({ response }: CreatedCredential | UsedCredential): string {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString();
    const { challenge } = fieldsOf(JSON.parse(text));
    if (typeof challenge === 'string') return challenge;
  } catch {}
  throw new ApiError('passkey_failed');
}

/**
 * Verifies a new credential, including that the authenticator verified the user.
 * @param challenge the challenge of the credential, already checked by the caller
 * @throws ApiError `passkey_failed`
 */
export async function verifyNewPasskey(
  party: RelyingParty,
  challenge: string,
  credential: CreatedCredential,
): Promise<Passkey> {
  return orFailure(async () => {
    await refuseCertificates(credential);
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified || registrationInfo.credential.id !== credential.id) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  });
}

/**
 * Verifies the use of a passkey: that the authenticator verified the user and the counter has risen.
 * @param challenge the challenge of the credential, already checked by the caller
 * @returns the new counter
 * @throws ApiError `passkey_failed`
 */
export async function verifyPasskeyUse(
  party: RelyingParty,
  challenge: string,
  credential: UsedCredential,
  stored: Passkey,
): Promise<number> {
  return orFailure(async () => {
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: stored.id,
        publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'base64url')),
        counter: stored.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
}

/**
 * Refuses attestation certificates, which the options do not ask for: verifying them would make the
 * server fetch URLs that they contain.
 */
async function refuseCertificates({ response }: CreatedCredential): Promise<void> {
  const { decodeAttestationObject } = await loadHelpers();
  const attestation = decodeAttestationObject(
    new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
  );
  const format = attestation.get('fmt');
  const isOwnSignature = format === 'packed' && !attestation.get('attStmt').get('x5c');
  if (format !== 'none' && !isOwnSignature) throw new ApiError('passkey_failed');
}

/** Turns every error of the library, which throws for any invalid input, into `passkey_failed`. */
async function orFailure<T>(verify: () => Promise<T | undefined>): Promise<T> {
  const result = await verify().catch(() => undefined);
  if (result === undefined) throw new ApiError('passkey_failed');
  return result;
}
