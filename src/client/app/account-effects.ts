import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { News } from '../../shared/people.ts';
import { setSessionLostHandler } from '../api/request.ts';
import { DraftImages } from '../conversation/composer/draft-parts.ts';
import { useWaitingDrafts } from '../conversation/composer/send-draft.ts';
import { useNews, useUnsentReads } from '../conversation/reading/news.ts';
import { trackReading } from '../conversation/reading/track-reading.ts';
import { changeEntry, entryState } from '../router/entry-state.ts';
import { pageOf } from '../router/match-page.ts';
import { usePath } from '../router/navigation.tsx';
import { startResuming } from '../session/resuming.ts';
import { loseSession, signOutIfTold } from '../session/sign-out.ts';
import { followTabs } from '../session/tabs.ts';
import { checkProfile } from '../session/use-profile.ts';
import { useAppState, useSite, useStore, useUser } from '../state/store-provider.tsx';
import { preloadMenus } from '../ui/action-menu.tsx';
import { isTyped } from '../ui/loading/reload-after-failed-chunk.ts';
import { preloadStatusBar } from '../ui/status/status-bar.tsx';
import { startQueries } from './account-queries.ts';
import { lazyPages, preloadPages } from './lazy-pages.ts';
import { quietMs } from './page-effects.ts';
import { usePushMessages } from './use-push-messages.ts';

/** Loads the pages that people with an account may open next, so that they also open when the connection is lost. */
function loadAhead(isForMembers: boolean): void {
  preloadPages();
  DraftImages.load().catch(() => {});
  // For dates that arrive live.
  import('../conversation/events/event-tools.tsx').catch(() => {});
  // Signing out shows this page at once.
  if (isForMembers) lazyPages['members-only'].load().catch(() => {});
}

/**
 * Runs the background work of a signed-in account; signs in a remembered account. A component, like
 * `ReadingTracker`, so that its script is loaded only for people with an account.
 */
export function AccountEffects() {
  const store = useStore();
  const queryClient = useQueryClient();
  const { id, isLogged } = useUser();
  useWaitingDrafts(id, store);
  useUnsentReads(store);
  const { readers } = useSite();
  useEffect(() => {
    const timer = setTimeout(() => loadAhead(readers === 'members'), quietMs);
    return () => clearTimeout(timer);
  }, [readers]);
  // An account that may not read learns why from its news.
  const news = useNews(useShownChannels() ?? (readers === 'members' ? '' : undefined));
  useReloadWhenHidden(news);
  usePushMessages(news);
  useEffect(() => {
    const stop = new AbortController();
    if (!isLogged) {
      startResuming(store, stop.signal);
      return () => stop.abort();
    }
    preloadStatusBar();
    preloadMenus();
    // So that the line above what is read also appears when the connection is lost.
    import('../pages/channel/slim-line.tsx').catch(() => {});
    setSessionLostHandler((isBackground) => loseSession(store, isBackground));
    const onTold = (signedOutId: unknown) => {
      if (!signOutIfTold(signedOutId, store, queryClient))
        void checkProfile(store, queryClient, stop.signal);
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

/**
 * Loads the page anew when a decision of moderators takes something from it: one that suspends the account or hides what
 * it wrote. The page may have been loaded before that decision even if the first news already has it, so it is loaded once
 * for each decision: the history entry keeps which. Waits while something is typed.
 */
function useReloadWhenHidden(news: News | undefined): void {
  const [loadedUnder] = useState(() => entryState().loadedUnder);
  useEffect(() => {
    const restriction = news?.restriction;
    if (!restriction || restriction.state === 'silenced') return;
    if (restriction.decision === loadedUnder || isTyped()) return;
    changeEntry({ loadedUnder: restriction.decision });
    location.reload();
  }, [news, loadedUnder]);
}

/** Ids of the channels on the page for which news is fetched, joined with commas; undefined until they are loaded. */
function useShownChannels(): string | undefined {
  const page = pageOf(usePath());
  return useAppState(({ list, channels }) => {
    if (page.name === 'home')
      return list ? [...new Set([...list.pinned, ...list.ids])].join() : undefined;
    if (page.name === 'channel') return channels.has(page.id) ? page.id : undefined;
    return '';
  });
}

/** Marks a channel's comments as read while a signed-in user reads them. */
export function ReadingTracker({ channelId }: { channelId: string }) {
  const store = useStore();
  useEffect(() => {
    const controller = new AbortController();
    trackReading(channelId, store, controller.signal);
    return () => controller.abort();
  }, [channelId, store]);
  return null;
}
