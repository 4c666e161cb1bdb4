import { visibleKey } from '../../shared/clean-text.ts';

/**
 * Key under which e-mail addresses are unique: without invisible characters, trimmed, compatibility-normalised, case
 * folded. Lower, upper and lower case again make 'ẞ', 'ß' and 'SS' equal, and the two lower sigmas. Normalised again
 * because folding can undo it.
 */
export function emailKey(email: string): string {
  const plain = visibleKey(email).trim().normalize('NFKC');
  return plain.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
