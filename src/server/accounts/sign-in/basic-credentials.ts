import { limits } from '../../../shared/limits.ts';
import { passwordText } from '../../http/password-text.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses an `Authorization: Basic` header: UTF-8, split at the first colon.
 * @returns undefined when it is invalid, or longer than any account's credentials
 */
export function parseBasic(
  header: string | undefined,
): { email: string; password: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? '')?.[1];
  if (!encoded) return undefined;
  let text: string;
  try {
    text = utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const email = text.slice(0, colon);
  // Reject NUL: no valid e-mail contains it and PostgreSQL text cannot store it.
  if (email.includes('\0')) return undefined;
  if (email.length > limits.emailChars * limits.rawFactor) return undefined;
  const password = passwordText(text.slice(colon + 1));
  return password === undefined ? undefined : { email, password };
}
