/** Other spellings of what was searched for, with ñ for n or the reverse, the likeliest first. */
export function suggestVariants(_q: string): string[] {
  return [];
}
