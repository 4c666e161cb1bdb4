import { useSyncExternalStore } from 'react';
import { bundles } from '../bundles.ts';
import { shortDate } from './short-date.ts';
import type * as timeWords from './time-words.ts';

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = 0;
/** Null until its script has loaded, after hydration. */
let words: typeof timeWords | null = null;

const loadWords = () =>
  bundles.late.load().then(
    ({ timeWords }) => {
      words = timeWords;
      tick();
    },
    () => {},
  );

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
    if (!words) loadWords();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time of the last tick: `useSyncExternalStore` needs the same value until the next. */
function getNow(): number | null {
  if (!words) return null;
  if (timer === undefined) nowMs = Date.now();
  return nowMs;
}

/** The date on the server and while hydrating; then the time since, updated every minute. */
export function TimeAgo({ iso, className }: { iso: string; className?: string | undefined }) {
  const now = useSyncExternalStore<number | null>(subscribe, getNow, () => null);
  return (
    <time
      className={className}
      dateTime={iso}
      title={now === null ? undefined : words?.fullTime(iso)}
    >
      {(now !== null && words?.relativeTime(iso, now)) || shortDate(iso)}
    </time>
  );
}
