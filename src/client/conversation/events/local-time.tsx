import { hourText } from '../../../shared/event-texts.ts';
import type { EventDate } from '../../../shared/events.ts';
import { clockMs } from '../../dom/time-words.ts';
import { useHydrated } from '../../state/store-provider.tsx';

/** Shows the hour on this device's clock if it differs from the hour in the zone of the date. */
export function LocalTime({ date: { start, startsAt } }: { date: EventDate }) {
  const isHydrated = useHydrated();
  if (!isHydrated) return null;
  const here = new Date(clockMs(Date.parse(startsAt))).toISOString().slice(0, 16);
  if (here === start) return null;
  const [day = '', hour = ''] = here.split('T');
  const isOtherDay = day !== start.slice(0, 10);
  return ` (${isOtherDay ? `el día ${Number(day.slice(8))}, ` : ''}${hourText(hour)} según este dispositivo)`;
}
