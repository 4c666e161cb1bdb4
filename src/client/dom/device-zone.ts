/** The time zone of the device, as an IANA name; empty when the browser names none. */
export function deviceZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && timeZone !== 'Etc/Unknown' ? timeZone : '';
}

/** Says by which clock a time is meant: this device's, or that of another zone, which is named. */
export const inZone = (zone: string): string =>
  zone !== '' && zone === deviceZone()
    ? 'según la hora de este dispositivo'
    : `en la hora de ${zone || 'la comunidad'}`;
