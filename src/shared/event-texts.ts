// `Intl` names days and months differently in different browsers, and in the server.
const weekdays = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'];
const months = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
];

/** The parts of a time in the form of `EventDate.start`. */
function partsOf(time: string) {
  const [day = '', hour] = time.split('T');
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const weekday = new Date(Date.UTC(year, month - 1, date)).getUTCDay();
  return {
    day,
    hour,
    year,
    month: months[month - 1] ?? '',
    date,
    weekday: weekdays[weekday] ?? '',
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
  const { month, date, weekday } = partsOf(time);
  return { month: month.slice(0, 3) + otherYear(' ', time, year), date: String(date), weekday };
}

/** The year of a time with what stands before it, if it is not the one of `year`. */
function otherYear(before: string, time: string, year?: string): string {
  const own = time.slice(0, 4);
  return year === undefined || year === own ? '' : before + own;
}

/** Such as "domingo 28 de marzo", with the year if it is not the one of `year`. */
export function dayText(time: string, year?: string): string {
  const parts = partsOf(time);
  return `${parts.weekday} ${parts.date} de ${parts.month}${otherYear(' de ', time, year)}`;
}

/**
 * Such as "domingo 28 de marzo, 20:30–22:00", "sábado 5 de junio, 22:00, a domingo 6 de junio, 2:00" or "lunes 1 de julio hasta el
 * viernes 5 de julio".
 * @param date.end null without an end
 */
export function timeText(time: { start: string; end: string | null }): string {
  const hours = hoursText(time);
  if (time.start.includes('T')) return `${dayText(time.start)}, ${hours}`;
  return hours === 'todo el día' ? dayText(time.start) : `${dayText(time.start)} ${hours}`;
}

/** The part of `timeText` that stands beside a day: "20:30–22:00", "22:00, a domingo 6 de junio, 2:00", "hasta el viernes 5 de julio". */
export function hoursText({ start, end }: { start: string; end: string | null }): string {
  const from = partsOf(start);
  const to = end === null ? undefined : partsOf(end);
  const year = String(from.year);
  if (from.hour === undefined) {
    return to && to.day !== from.day ? `hasta el ${dayText(end ?? '', year)}` : 'todo el día';
  }
  if (!to) return hourText(from.hour);
  if (to.day === from.day) return `${hourText(from.hour)}–${hourText(to.hour ?? '')}`;
  return `${hourText(from.hour)}, a ${dayText(end ?? '', year)}, ${hourText(to.hour ?? '')}`;
}

/** Such as "9:05" for `09:05`. */
export const hourText = (hour: string) => hour.replace(/^0(?=\d)/, '');
