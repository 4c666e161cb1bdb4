import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setSessionLostHandler } from '../api/request.ts';
import { startQueries } from '../api/user-query.ts';
import { useWaitingDrafts } from '../comments/send-draft.ts';
import { preloadAccountParts } from '../components/lazy-part.tsx';
import { preloadStatusBar } from '../components/status-bar.tsx';
import { sendLastPositions, useNews } from '../news/news.ts';
import { trackReading } from '../news/track-reading.ts';
import { pageOf } from '../router/match-page.ts';
import { usePath } from '../router/navigation.tsx';
import { endSession } from '../session/remembered-browser.ts';
import { startResuming } from '../session/resuming.ts';
import { loseSession } from '../session/session-end.ts';
import { followTabs } from '../session/tabs.ts';
import { useAppState, useStore, useUser } from '../state/store-provider.tsx';
import { currentToken, readSession } from '../storage/session.ts';
import { checkProfile } from './use-profile.ts';

/** Runs the background work of the account while a user is signed in; signs in a remembered one. */
export function AccountEffects() {
  const store = useStore();
  const queryClient = useQueryClient();
  const { id, isLogged } = useUser();
  useWaitingDrafts(id, store);
  useNews(useShownChannels());
  useEffect(() => {
    const { dispatch } = store;
    const stop = new AbortController();
    if (!isLogged) {
      startResuming(store, stop.signal);
      return () => stop.abort();
    }
    preloadAccountParts();
    preloadStatusBar();
    import('./finish-sign-out.ts').catch(() => {});
    setSessionLostHandler((isBackground) => loseSession(dispatch, isBackground));
    const onTold = (signedOutId: unknown) => {
      if (signedOutId && signedOutId === readSession()?.id) {
        const token = currentToken();
        sendLastPositions(id, token).then(() => endSession(token));
        loseSession(dispatch, true);
      } else {
        checkProfile(store, queryClient, stop.signal);
      }
    };
    followTabs(onTold, stop.signal);
    const stopQueries = startQueries(id, queryClient);
    return () => {
      stop.abort();
      stopQueries();
    };
  }, [id, isLogged, store, queryClient]);
  return null;
}

/** The channels whose news the page shows, joined with commas; undefined until they are loaded. */
function useShownChannels(): string | undefined {
  const page = pageOf(usePath());
  return useAppState(({ list, channels }) => {
    if (page.name === 'home') return list?.ids.join();
    if (page.name === 'channel') return channels.has(page.id) ? page.id : undefined;
    return '';
  });
}

/** Marks a channel's comments as read while a signed-in user reads them. */
export function ReadingTracker({ channelId }: { channelId: string }) {
  const store = useStore();
  const { id } = useUser();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs again for another user, who has read other comments
  useEffect(() => {
    const controller = new AbortController();
    trackReading(channelId, store, controller.signal);
    return () => controller.abort();
  }, [channelId, id, store]);
  return null;
}
