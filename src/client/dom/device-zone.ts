/** The time zone of the device, as an IANA name; empty when the browser names none. */
export function deviceZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && timeZone !== 'Etc/Unknown' ? timeZone : '';
}

/** A warning that a time is meant by another clock than this device's; undefined where both have the same zone. */
export const otherZoneText = (zone: string): string | undefined =>
  zone === '' || zone === deviceZone()
    ? undefined
    : `La hora es la de ${zone}, no la de este dispositivo.`;

/** Says by which clock a time is meant: this device's, or that of another zone, which is named. */
export const inZone = (zone: string): string =>
  zone !== '' && zone === deviceZone()
    ? 'según la hora de este dispositivo'
    : `en la hora de ${zone || 'la comunidad'}`;
