import type { Comment } from '../../shared/comments.ts';
import { eventId, type LiveMissed, type LiveOpened, liveEvents } from '../../shared/live.ts';
import { apiRoutes } from '../../shared/routes.ts';

interface LiveOptions {
  channelId: string;
  /** Id of the last comment loaded without a gap before it; null to receive only new comments. */
  lastKnown: () => string | null;
  onComment: (comment: Comment) => void;
  onMissed: () => void;
  /** The site was restored from a backup, so loaded comments may no longer exist. */
  onRestored: () => void;
}

/** The site's generation, sent when a stream opens. It changes when a backup is restored. */
let generation: string | null = null;

/** Name of the event dispatched on `window` when a stream opens: the server can be reached. */
export const liveOpened = 'live-opened';

const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

/**
 * Follows a channel's comments until the returned function is called. Browsers allow six HTTP/1.1
 * connections to a site, shared by all tabs, so a hidden page closes its stream.
 */
export function followChannel({
  channelId,
  lastKnown,
  onComment,
  onMissed,
  onRestored,
}: LiveOptions) {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const disconnect = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };

  const connect = () => {
    disconnect();
    if (document.hidden) return;
    const known = lastKnown();
    const after = known && generation ? eventId(generation, known) : known;
    const search = after === null ? '' : `?${new URLSearchParams({ after })}`;
    source = new EventSource(apiRoutes.channelLive(channelId) + search);
    source.onopen = () => {
      failures = 0;
      dispatchEvent(new Event(liveOpened));
    };
    source.addEventListener(liveEvents.comment, (event: MessageEvent<string>) =>
      onComment(JSON.parse(event.data) as Comment),
    );
    source.addEventListener(liveEvents.opened, (event: MessageEvent<string>) => {
      const opened = JSON.parse(event.data) as LiveOpened;
      const isOther = generation !== null && generation !== opened.generation;
      generation = opened.generation;
      if (isOther) onRestored();
    });
    source.addEventListener(liveEvents.missed, (event: MessageEvent<string>) => {
      const { restored } = JSON.parse(event.data) as LiveMissed;
      if (restored) onRestored();
      else onMissed();
    });
    source.onerror = () => {
      // EventSource reconnects by itself after a lost connection, but not after an error status.
      if (source?.readyState !== EventSource.CLOSED) return;
      disconnect();
      timer = setTimeout(connect, delayMs(failures));
      failures += 1;
    };
  };

  const onVisibility = () => (document.hidden ? disconnect() : connect());
  document.addEventListener('visibilitychange', onVisibility);
  addEventListener('online', connect);
  connect();

  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    removeEventListener('online', connect);
    disconnect();
  };
}

/** Exponential backoff with jitter, so that clients do not all reconnect at once after a restart. */
function delayMs(failures: number): number {
  const longest = Math.min(longestDelayMs, firstDelayMs * 2 ** failures);
  return longest * (0.5 + Math.random() / 2);
}
