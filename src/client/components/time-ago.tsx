import { useSyncExternalStore } from 'react';
import { fullTime, relativeTime, shortDate } from './time-words.ts';

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = 0;

const tick = () => {
  nowMs = Date.now();
  for (const listener of listeners) listener();
};

/** Subscribes to a timer that all times on the page share. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    nowMs = Date.now();
    timer = setInterval(tick, minuteMs);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time of the last tick: `useSyncExternalStore` needs the same value until the next. */
function getNow(): number {
  if (timer === undefined) nowMs = Date.now();
  return nowMs;
}

/** The date on the server and while hydrating; then the time since, updated every minute. */
export function TimeAgo({ iso, className }: { iso: string; className?: string | undefined }) {
  const now = useSyncExternalStore<number | null>(subscribe, getNow, () => null);
  return (
    <time className={className} dateTime={iso} title={now === null ? undefined : fullTime(iso)}>
      {now === null ? shortDate(iso) : relativeTime(iso, now)}
    </time>
  );
}
