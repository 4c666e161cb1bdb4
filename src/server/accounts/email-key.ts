/**
 * The key under which e-mail addresses are unique: trimmed, compatibility-normalised, case folded.
 * Lower, upper and lower case again make 'ẞ', 'ß' and 'SS' equal, and the two lower sigmas. Normalised
 * again because folding can undo it.
 */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
