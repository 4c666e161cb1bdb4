import type { Store } from '../../state/store.ts';
import { numberOfElement } from './scroll-position.ts';

/** How long a comment must be in view to count as read. */
const readMs = 1000;
/** How long to wait for the server's news about comments that were unread when the page was opened. */
const answerWaitMs = 5000;

/** Marks comments of a channel as read once they were half in view for a second, until `signal` is aborted. */
export function trackReading(
  channelId: string,
  { getState, dispatch, subscribe }: Store,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  const unread = new Set<Element>();
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  let seen = 0;
  let mayReport = false;

  const markRead = (number: number) =>
    dispatch({ type: 'CHANNELS_READ', positions: [{ channelId, number }] });
  const report = () => {
    const known = getState().reads[channelId];
    // Before that response, a new position would hide which comments were unread when the page was opened.
    if ((known || mayReport) && seen > (known?.number ?? 0)) {
      markRead(seen);
    }
  };
  const onRead = (element: Element) => {
    if (document.hidden) {
      // Observed again, so that it is reported once the page is visible.
      unobserve(element);
      observer.observe(element);
      return;
    }
    seen = Math.max(seen, numberOfElement(element));
    report();
    observe();
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, intersectionRatio, intersectionRect } of entries) {
        // Half of the comment, or half of the window for a comment higher than that.
        const isInView = intersectionRatio >= 0.5 || intersectionRect.height >= innerHeight / 2;
        if (!isInView) {
          clearTimeout(timers.get(target));
          timers.delete(target);
        } else if (!timers.has(target)) {
          timers.set(
            target,
            setTimeout(() => onRead(target), readMs),
          );
        }
      }
    },
    { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5] },
  );

  const unobserve = (element: Element) => {
    unread.delete(element);
    observer.unobserve(element);
    clearTimeout(timers.get(element));
    timers.delete(element);
  };

  let observed: unknown[] = [];
  /** Observes only unread comments: each observed element costs time in every frame. */
  const observe = () => {
    const { channels, reads } = getState();
    const comments = channels.get(channelId)?.comments;
    const readNumber = Math.max(seen, reads[channelId]?.number ?? 0);
    if (comments === observed[0] && readNumber === observed[1]) return;
    observed = [comments, readNumber];
    // New comments are rendered by the next frame.
    requestAnimationFrame(() => {
      if (signal.aborted) return;
      for (const element of unread) if (numberOfElement(element) <= readNumber) unobserve(element);
      const elements = [...document.querySelectorAll('li[id^="comentario-"]')];
      for (const element of elements.reverse()) {
        if (numberOfElement(element) <= readNumber) break;
        unread.add(element);
        observer.observe(element);
      }
    });
  };
  const answerTimer = setTimeout(() => {
    mayReport = true;
    report();
  }, answerWaitMs);
  /** A new channel is opened once its page is, also without comments or while none of them is in view. */
  const markOpened = () => {
    const { reads, newChannels } = getState();
    if (!reads[channelId] && newChannels.includes(channelId)) markRead(0);
  };
  const unsubscribe = subscribe(() => {
    observe();
    markOpened();
    if (seen > 0 && !mayReport && getState().reads[channelId]) {
      mayReport = true;
      report();
    }
  });
  observe();

  signal.addEventListener('abort', () => {
    observer.disconnect();
    unsubscribe();
    clearTimeout(answerTimer);
    for (const timer of timers.values()) clearTimeout(timer);
  });
}
