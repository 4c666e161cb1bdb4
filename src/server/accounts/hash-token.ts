import { createHash } from 'node:crypto';

/** A fast hash is enough: a random token of 256 bits cannot be guessed from a stolen table. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
