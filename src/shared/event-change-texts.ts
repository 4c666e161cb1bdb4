import { dayText, timeText } from './event-texts.ts';

interface Told {
  start: string;
  end: string | null;
  location: string;
}

/** Such as "domingo 28 de marzo, 20:30, en el local". */
export const whenAndWhere = ({ location, ...time }: Told) =>
  location === '' ? timeText(time) : `${timeText(time)}, en ${location}`;

interface Change extends Told {
  cancelled: boolean;
  reason: string;
  before: Told | null;
}

/** What became of a date that people were told of, such as "lunes 1 de junio, 20:00: no se hace (llueve)". */
export const changeText = (date: Change) => whenAndWhere(date) + whatBecame(date);

/** The lines of a message about changed dates: one line per date, or one for all dates with the same change if they are more than three. */
export function changeLines(dates: Change[]): string[] {
  // Dates that were moved are not in the order of their positions.
  const sorted = dates.toSorted((one, other) => (one.start < other.start ? -1 : 1));
  const groups = Map.groupBy(sorted, (date) => `${date.location}\n${whatBecame(date)}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    const last = same.at(-1);
    if (!first || !last || same.length <= 3) return same.map(changeText);
    const place = first.location === '' ? '' : `, en ${first.location}`;
    const days = `del ${dayText(first.start)} al ${dayText(last.start, first.start.slice(0, 4))}`;
    return `${same.length} fechas, ${days}${place}${whatBecame(first, 'se hacen')}`;
  });
}

function whatBecame(date: Change, verb = 'se hace'): string {
  const { before } = date;
  if (date.cancelled) return `: no ${verb}${date.reason === '' ? '' : ` (${date.reason})`}`;
  if (!before) return `: sí ${verb}`;
  const isMoved = before.start !== date.start || before.end !== date.end;
  const place = before.location === '' ? 'sin lugar' : `en ${before.location}`;
  const was = [
    ...(isMoved ? [timeText(before)] : []),
    ...(before.location === date.location ? [] : [place]),
  ];
  return ` (antes, ${was.join(', ')})`;
}
