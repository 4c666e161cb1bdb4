import { serverNow } from '../../api/call.ts';
import { fullDate } from './short-date.ts';
import { type TimeForm, timeText } from './time-text.ts';

interface TimeProps {
  iso: string;
  form?: TimeForm;
}

/**
 * A time, with the full one as its title. The server renders the day in UTC. In the browser `keepTimes` changes text and
 * title of all times as soon as the server's time is known, which hydration leaves as they are, and every minute; what is
 * rendered later has them at once.
 */
export function Time({ iso, form = 'ago' }: TimeProps) {
  const nowMs = serverNow();
  return (
    <time
      dateTime={iso}
      title={fullDate(iso, nowMs === null)}
      data-form={form}
      suppressHydrationWarning
    >
      {timeText(iso, form, nowMs)}
    </time>
  );
}
