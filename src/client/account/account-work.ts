import { useEffect } from 'react';
import { startOutbox } from '../comments/outbox.ts';
import { preloadAccountParts } from '../components/lazy-part.tsx';
import { preloadStatusBar } from '../components/status-bar.tsx';
import {
  notePageUsed,
  setSessionLostHandler,
  startResuming,
} from '../session/remembered-browser.ts';
import { loseSession } from '../session/session-end.ts';
import { followTabs } from '../session/tabs.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { checkProfile } from './check-profile.ts';
import { followNews, startSendingPositions } from './news.ts';
import { trackReading } from './track-reading.ts';

/** Runs the background work of the account while a user is signed in; signs in a remembered one. */
export function AccountWork() {
  const store = useStore();
  const { id, isLogged } = useUser();
  useEffect(() => {
    const { dispatch } = store;
    const stop = new AbortController();
    if (!isLogged) {
      startResuming(store, stop.signal);
      return () => stop.abort();
    }
    notePageUsed();
    preloadAccountParts();
    preloadStatusBar();
    import('./end-account.ts').catch(() => {});
    setSessionLostHandler((isBackground) => loseSession(dispatch, isBackground));
    followTabs(() => checkProfile(store, stop.signal), stop.signal);
    const stopOutbox = startOutbox(id, dispatch);
    const stopSending = startSendingPositions();
    return () => {
      stop.abort();
      stopOutbox();
      stopSending();
    };
  }, [id, isLogged, store]);
  return null;
}

/**
 * Keeps the state's `reads` of these channels current while a user is signed in.
 * @param channelIds joined with commas, so that the same ones are the same text
 */
export function NewsWork({ channelIds }: { channelIds: string }) {
  const { dispatch } = useStore();
  const { id } = useUser();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user's news are others
  useEffect(() => {
    if (channelIds === '') return;
    const controller = new AbortController();
    followNews(channelIds.split(','), dispatch, controller.signal);
    return () => controller.abort();
  }, [channelIds, id, dispatch]);
  return null;
}

/**
 * Marks a channel's comments as read while a signed-in user reads them, and keeps the state's `reads`
 * of the channel current.
 */
export function ReadingWork({ channelId }: { channelId: string }) {
  const store = useStore();
  const { id } = useUser();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user has read other comments
  useEffect(() => {
    const controller = new AbortController();
    followNews([channelId], store.dispatch, controller.signal);
    trackReading(channelId, store, controller.signal);
    return () => controller.abort();
  }, [channelId, id, store]);
  return null;
}
