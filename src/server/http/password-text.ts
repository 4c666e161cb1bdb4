import { limits } from '../../shared/limits.ts';

/**
 * Normalizes a password to NFC, so that every keyboard produces the same bytes.
 * @returns undefined when it is longer than any request may send, because normalizing takes quadratic time
 */
export function passwordText(raw: string): string | undefined {
  const isTooLong = Buffer.byteLength(raw) > limits.passwordBytes * limits.rawFactor;
  return isTooLong ? undefined : raw.normalize('NFC');
}
