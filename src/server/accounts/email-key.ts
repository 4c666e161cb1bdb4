/**
 * What makes two e-mail addresses the same account: trimmed, compatibility-normalised, case folded.
 * Lower, upper and lower case again fold all that people type ('ẞ', 'ß' and 'SS' meet, and the two
 * lower sigmas); normalised again because folding can undo it.
 */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
