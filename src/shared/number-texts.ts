/** Unread comments of a channel are counted up to this. */
export const mostUnread = 99;

/** A whole number as Spanish writes it: '9999', '10 000', with spaces that do not break a line. */
export function numberText(value: number): string {
  if (value < 10_000) return String(value);
  let groups = '';
  let rest = value;
  for (; rest >= 1000; rest = Math.floor(rest / 1000)) {
    groups = `\u00a0${String(rest % 1000).padStart(3, '0')}${groups}`;
  }
  return `${rest}${groups}`;
}

/** '10 MB', on one line. */
export function megabytesText(megabytes: number): string {
  return `${numberText(megabytes)}\u00a0MB`;
}
