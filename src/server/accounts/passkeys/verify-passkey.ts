import type { CreatedCredential, UsedCredential } from '../../../shared/passkeys.ts';
import { ApiError } from '../../http/api-error.ts';
import type { RelyingParty } from './relying-party.ts';

/** Offered to authenticators, best first: EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257];

/** What is stored of a credential. */
export interface Passkey {
  id: string;
  /** COSE key, base64url. */
  publicKey: string;
  counter: number;
}

// Loaded when the first passkey is checked: it takes 30 MB of memory.
const loadLibrary = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** The challenge that a credential answers. @throws ApiError `passkey_failed` */
export function challengeOf({ response }: CreatedCredential | UsedCredential): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    if (typeof challenge === 'string') return challenge;
  } catch {}
  throw new ApiError('passkey_failed');
}

/**
 * Verifies a new credential, made with the user's verification.
 * @param challenge that it answers; the caller has checked it
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
 * Verifies that a passkey was used, with the user's verification, and its counter has risen.
 * @param challenge that it answers; the caller has checked it
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
 * The options ask for none. Following the certificates of others would make the server fetch what
 * they name.
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

/** The library throws for whatever is wrong with what a browser sent. */
async function orFailure<T>(verify: () => Promise<T | undefined>): Promise<T> {
  const result = await verify().catch(() => undefined);
  if (result === undefined) throw new ApiError('passkey_failed');
  return result;
}
