import { fullTime } from '../../dom/time-words.ts';

/** Sets the title of all times on the page to the full time, which is printed instead. */
export function addFullTimes(): void {
  for (const time of document.querySelectorAll('time')) time.title = fullTime(time.dateTime);
}
