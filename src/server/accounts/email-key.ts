/**
 * What makes two e-mail addresses the same account: trimmed, compatibility-normalised, case folded.
 * Upper then lower case is full case folding for all that people type ('ß' and 'SS' meet, and the
 * two lower sigmas); normalised again because folding can undo it.
 */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
