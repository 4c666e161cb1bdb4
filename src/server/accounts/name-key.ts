/** The form in which names are compared: without case and accents. Computed here, so that both engines agree. */
export function nameKey(name: string): string {
  const folded = name.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKD').replace(/\p{M}/gu, '');
}
