import { fullTime } from '../../dom/time-words.ts';

/** Gives all times on the page their full form as the title, which is printed in their place. */
export function addFullTimes(): void {
  for (const time of document.querySelectorAll('time')) time.title = fullTime(time.dateTime);
}
