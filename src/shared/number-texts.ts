/** Unread comments of a channel are counted up to this number. */
export const mostUnread = 99;

/** Formats a whole number in Spanish: '9999', '10 000', with non-breaking spaces. */
export function numberText(value: number): string {
  if (value < 10_000) return String(value);
  let groups = '';
  let rest = value;
  for (; rest >= 1000; rest = Math.floor(rest / 1000)) {
    groups = `\u00a0${String(rest % 1000).padStart(3, '0')}${groups}`;
  }
  return `${rest}${groups}`;
}

/** Formats '10 MB' with a non-breaking space. */
export function megabytesText(megabytes: number): string {
  return `${numberText(megabytes)}\u00a0MB`;
}
