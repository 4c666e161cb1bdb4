import { type PointerEvent, startTransition, useEffect, useState } from 'react';
import { fetchServerTime, serverNow, serverTimeKnown } from '../../api/call.ts';
import { isPlainClick, Link } from '../../dom/navigation.tsx';
import { dayMs, fullTime, relativeTime } from '../../dom/time-words.ts';
import { useHydrated } from '../../state/store-provider.tsx';
import { showStatus } from '../status/status-bar.tsx';
import { dayAndHour, shortDate } from './short-date.ts';
import styles from './time-ago.module.css';

const minuteMs = 60_000;
const listeners = new Set<(nowMs: number) => void>();
/** One timer for all times on the page, of which there may be thousands. */
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Passes the server's time to all times on the page. A transition renders in slices, since updating many of them
 * takes long.
 */
async function tick(): Promise<void> {
  const nowMs = await fetchServerTime();
  if (nowMs === null) return;
  startTransition(() => {
    for (const listener of listeners) listener(nowMs);
  });
}

/** Calls the listener as soon as the server's time is known, and every minute. */
function subscribe(listener: (nowMs: number) => void): () => void {
  listeners.add(listener);
  const nowMs = serverNow();
  if (nowMs !== null) startTransition(() => listener(nowMs));
  else if (timer === undefined) void serverTimeKnown.then(tick);
  timer ??= setInterval(tick, minuteMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface TimeAgoProps {
  iso: string;
  /** The address of the comment of which this is the time, and to which it links. */
  href?: string;
  /** CSS class of the link; unused without `href`. */
  className?: string | undefined;
  /** Shows the date instead of the relative time. */
  isDate?: boolean;
  /** Renders plain text instead of a button or link, for example within an option of a list. */
  isPlain?: boolean;
}

/**
 * The date on the server, during hydration and until the server's time is known; then the relative time, updated
 * every minute, or the day and the hour of a comment that is older than a day. It is a button or a link that also shows
 * the full time, so it must not be within another link.
 */
export function TimeAgo({ iso, href, className, isDate = false, isPlain = false }: TimeAgoProps) {
  const isHydration = !useHydrated();
  const [nowMs, setNow] = useState(() => (isHydration ? null : serverNow()));
  useEffect(() => subscribe(setNow), []);
  const setTitle = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    currentTarget.title = fullTime(iso);
  };
  const show = () => showStatus({ text: fullTime(iso) });
  const isServed = nowMs === null;
  const isOld = isServed || nowMs - Date.parse(iso) >= dayMs;
  const time = (
    <time dateTime={isServed ? iso.split('T', 1)[0] : iso} onPointerEnter={setTitle}>
      {href && isOld
        ? dayAndHour(iso, nowMs)
        : isServed || isDate
          ? shortDate(iso, isServed)
          : relativeTime(iso, nowMs)}
    </time>
  );
  if (href) {
    return (
      <Link
        className={className}
        href={href}
        onClick={(event) => {
          if (isPlainClick(event)) show();
        }}
      >
        {time}
      </Link>
    );
  }
  if (isServed || isPlain) return time;
  return (
    <button type="button" className={`bare ${styles.time}`} onClick={show}>
      {time}
    </button>
  );
}
