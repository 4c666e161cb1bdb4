import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { LiveChanged, LiveOpened, liveEvents } from '../../../shared/live.ts';
import { withQuery } from '../../../shared/routes.ts';

interface EventData extends Record<keyof typeof liveEvents, object> {
  /** A stream has opened, possibly after a lost connection. */
  opened: LiveOpened;
  comment: Comment;
  /** Comments on the page or the channel may have changed. */
  changed: LiveChanged;
}

type EventHandlers = { [Event in keyof EventData]: (data: EventData[Event]) => void };

interface LiveHandlers {
  events: EventHandlers;
  /** The server has refused to open a stream, for the first time since one was open. */
  refused: () => void;
}

const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

/**
 * Follows a channel's comments until the returned function is called. Browsers allow six HTTP/1.1 connections per
 * site, shared by all tabs, so a hidden page closes its stream.
 * @param lastKnown number of the last comment loaded without a gap before it; null to receive only new comments
 */
export function followChannel(
  channelId: string,
  lastKnown: () => number | null,
  handlers: LiveHandlers,
): () => void {
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
    source = new EventSource(withQuery(apiRoutes.channelLive(channelId), { after: lastKnown() }));
    source.onopen = () => {
      failures = 0;
    };
    for (const [event, handle] of Object.entries<(data: never) => void>(handlers.events)) {
      source.addEventListener(event, ({ data }: MessageEvent<string>) => {
        const sent: unknown = JSON.parse(data);
        // Data of the site's own server is not checked, as in api/call.ts.
        handle(sent as never);
      });
    }
    source.onerror = () => {
      // EventSource reconnects automatically after a lost connection, but not after an error status.
      if (source?.readyState !== EventSource.CLOSED) return;
      disconnect();
      if (failures === 0) handlers.refused();
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
