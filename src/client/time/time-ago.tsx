import { type PointerEvent, startTransition, useEffect, useState } from 'react';
import { useIsHydration } from '../state/store-provider.tsx';
import { shortDate } from './short-date.ts';
import { fullTime, relativeTime } from './time-words.ts';

const minuteMs = 60_000;
const listeners = new Set<() => void>();
/** One for all times on the page, of which there may be thousands. */
let timer: ReturnType<typeof setInterval> | undefined;

/** A transition renders in slices: many times on a page take long. */
const tick = () => {
  startTransition(() => {
    for (const listener of listeners) listener();
  });
};

/** Calls the listener now and every minute. */
function subscribe(listener: () => void): () => void {
  startTransition(listener);
  listeners.add(listener);
  timer ??= setInterval(tick, minuteMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Only the date on the server and while hydrating; then the time since, updated every minute. */
export function TimeAgo({ iso, className }: { iso: string; className?: string | undefined }) {
  const isHydration = useIsHydration();
  const [nowMs, setNow] = useState(() => (isHydration ? null : Date.now()));
  useEffect(() => subscribe(() => setNow(Date.now())), []);
  const showFullTime = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    currentTarget.title = fullTime(iso);
  };
  return (
    <time
      className={className}
      dateTime={nowMs === null ? iso.split('T', 1)[0] : iso}
      onPointerEnter={showFullTime}
    >
      {nowMs === null ? shortDate(iso, true) : relativeTime(iso, nowMs)}
    </time>
  );
}
