import { timeText } from './event-texts.ts';

interface Told {
  start: string;
  end: string | null;
  location: string;
}

/** Such as "domingo 28 de marzo, 20:30, en el local". */
export const whenAndWhere = ({ location, ...time }: Told) =>
  location === '' ? timeText(time) : `${timeText(time)}, en ${location}`;

/** What became of a date that people were told of, such as "lunes 1 de junio, 20:00: no se hace (llueve)". */
export function changeText(
  date: Told & { cancelled: boolean; reason: string; before: Told | null },
): string {
  const text = whenAndWhere(date);
  if (date.cancelled) return `${text}: no se hace${date.reason === '' ? '' : ` (${date.reason})`}`;
  if (!date.before) return `${text}: sí se hace`;
  const { before } = date;
  const isMoved = before.start !== date.start || before.end !== date.end;
  const place = before.location === '' ? 'sin lugar' : `en ${before.location}`;
  const was = [
    ...(isMoved ? [timeText(before)] : []),
    ...(before.location === date.location ? [] : [place]),
  ];
  return `${text} (antes, ${was.join(', ')})`;
}
