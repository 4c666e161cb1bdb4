import type { EventDate } from '../../../shared/events.ts';

/** How many come to a date, such as "Van 12, quizá 3, quedan 8 sitios". */
export function countsText(
  { phase, yes, maybe, no, waiting }: EventDate,
  capacity: number | null,
): string {
  const isPast = phase !== 'coming';
  const parts = [
    isPast ? `Fueron ${yes}` : yes === 1 ? 'Va 1' : `Van ${yes}`,
    ...(maybe > 0 && !isPast ? [`quizá ${maybe}`] : []),
    ...(no > 0 && !isPast ? [`no ${no}`] : []),
  ];
  if (capacity === null || isPast) return parts.join(', ');
  const left = capacity - yes;
  // A free place goes to those who wait, so there is none for new answers.
  if (left <= 0 || waiting > 0) parts.push('no quedan sitios');
  else parts.push(left === 1 ? 'queda 1 sitio' : `quedan ${left} sitios`);
  if (waiting > 0) parts.push(waiting === 1 ? 'espera 1' : `esperan ${waiting}`);
  return parts.join(', ');
}
