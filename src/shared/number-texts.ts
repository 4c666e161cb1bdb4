/** Unread comments of a channel are counted up to this number. */
export const mostUnread = 99;

/** Formats a whole number in Spanish: '9999', '10 000', with non-breaking spaces. */
export function numberText(value: number): string {
  if (value < 10_000) return String(value);
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
}

/** Formats '10 MB' with a non-breaking space. */
export function megabytesText(megabytes: number): string {
  return `${numberText(megabytes)}\u00a0MB`;
}
