import { fetchServerTime, serverTimeKnown } from '../../api/call.ts';
import { fullDate } from './short-date.ts';
import { isTimeForm, timeText } from './time-text.ts';

const minuteMs = 60_000;

/** Brings all times on the page up to date, once the server's time is known and every minute, until the signal aborts. */
export function keepTimes(signal: AbortSignal): void {
  void serverTimeKnown.then(() => {
    if (!signal.aborted) void updateTimes();
  });
  const timer = setInterval(updateTimes, minuteMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}

async function updateTimes(): Promise<void> {
  const nowMs = await fetchServerTime();
  if (nowMs === null) return;
  for (const time of document.querySelectorAll('time')) {
    const { form } = time.dataset;
    if (!isTimeForm(form)) continue;
    const text = timeText(time.dateTime, form, nowMs);
    // The text node stays, which React owns.
    if (time.firstChild && time.firstChild.nodeValue !== text) time.firstChild.nodeValue = text;
    time.title = fullDate(time.dateTime);
  }
}
