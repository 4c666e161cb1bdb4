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

/** One timer for all times on the page. */
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

/** Only as new as the last tick, so that it is the same until then. */
function getNow(): number {
  if (timer === undefined) nowMs = Date.now();
  return nowMs;
}

/** A date on the server and while hydrating; then how long ago it was, kept current. */
export function TimeAgo({ iso, className }: { iso: string; className?: string | undefined }) {
  const now = useSyncExternalStore<number | null>(subscribe, getNow, () => null);
  if (now === null) {
    return (
      <time className={className} dateTime={iso}>
        {shortDate(iso)}
      </time>
    );
  }
  return (
    <time className={className} dateTime={iso} title={fullTime(iso)}>
      {relativeTime(iso, now)}
    </time>
  );
}
