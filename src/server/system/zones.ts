/**
 * @returns the name of a time zone in its usual spelling; undefined for one that this server does not know, and for
 * offsets
 */
export function knownZone(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return undefined;
  try {
    return timeIn(name, 0).timeZoneId;
  } catch {
    return undefined;
  }
}

/** The zone of this server. */
export const serverZone = knownZone(Temporal.Now.timeZoneId()) ?? 'UTC';

/** A zone that this server knows: this one, or else its own, as after a move to a server with other zones. */
export const usableZone = (name: string) => knownZone(name) ?? serverZone;

/** Date and time in a zone. @throws RangeError for a zone that this server does not know */
export const timeIn = (zone: string, ms: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
