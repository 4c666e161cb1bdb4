// `Intl` names days and months differently in different browsers, and in the server.
const weekdays = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'];
const months = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
];

/** The parts of a time in the form of `EventDate.start`. */
function partsOf(time: string) {
  const [day = '', hour] = time.split('T');
  const at = new Date(day);
  return {
    day,
    hour,
    year: day.slice(0, 4),
    month: months[at.getUTCMonth()] ?? '',
    date: at.getUTCDate(),
    weekday: weekdays[at.getUTCDay()] ?? '',
  };
}

/** Such as "marzo de 2027". @param month such as `2027-03` */
export function monthText(month: string): string {
  const parts = partsOf(`${month}-01`);
  return `${parts.month} de ${parts.year}`;
}

/** Such as "marzo". @param month such as `2027-03` */
export const monthName = (month: string) => partsOf(`${month}-01`).month;

/** The month, day and weekday of a time, for a card: "mar", "28", "domingo". The month has the year if it is not the one of `year`. */
export function dayParts(time: string, year?: string) {
  const parts = partsOf(time);
  return { ...parts, month: parts.month.slice(0, 3) + otherYear(' ', parts.year, year) };
}

/** A year with what stands before it, if it is not the one of `year`. */
const otherYear = (before: string, own: string, year = own) => (year === own ? '' : before + own);

/** Such as "domingo 28 de marzo", with the year if it is not the one of `year`. */
export function dayText(time: string, year?: string): string {
  const parts = partsOf(time);
  return `${parts.weekday} ${parts.date} de ${parts.month}${otherYear(' de ', parts.year, year)}`;
}

/**
 * Such as "domingo 28 de marzo, 20:30–22:00", "sábado 5 de junio, 22:00, a domingo 6 de junio, 2:00" or "lunes 1 de julio hasta el
 * viernes 5 de julio".
 * @param date.end null without an end
 */
export function timeText(time: { start: string; end: string | null }): string {
  const day = dayText(time.start);
  const hours = hoursText(time);
  if (time.start.includes('T')) return `${day}, ${hours}`;
  return hours === 'todo el día' ? day : `${day} ${hours}`;
}

/** The part of `timeText` that stands beside a day: "20:30–22:00", "22:00, a domingo 6 de junio, 2:00", "hasta el viernes 5 de julio". */
export function hoursText({ start, end }: { start: string; end: string | null }): string {
  const from = partsOf(start);
  const to = partsOf(end ?? start);
  const isOneDay = to.day === from.day;
  const lastDay = dayText(to.day, from.year);
  if (from.hour === undefined) return isOneDay ? 'todo el día' : `hasta el ${lastDay}`;
  const first = hourText(from.hour);
  const last = hourText(to.hour ?? '');
  if (end === null) return first;
  return isOneDay ? `${first}–${last}` : `${first}, a ${lastDay}, ${last}`;
}

/** Such as "9:05" for `09:05`. */
export const hourText = (hour: string) => hour.replace(/^0(?=\d)/, '');
