import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from '../state/store-provider.tsx';
import { clearSession, readRemembered, readSession } from '../storage/session.ts';

/**
 * Hands a page from the back/forward cache to whoever is signed in now: it may show another user, or
 * one who was remembered when it was left and has been forgotten in another tab.
 */
export function SessionHandover() {
  const store = useStore();
  useEffect(() => {
    let remembered: string | null = null;
    const onPageHide = () => {
      remembered = readRemembered();
    };
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      const shown = store.getState().user;
      const isForgotten = remembered === shown.id && readRemembered() !== shown.id;
      if (isForgotten && readSession()?.id === shown.id) clearSession();
      const user = readSession();
      if ((user ? user.id : '') === (shown.isLogged ? shown.id : '')) return;
      // Discards the previous user's input before the browser paints.
      flushSync(() => store.dispatch({ type: 'HANDED_OVER', user }));
    };
    addEventListener('pagehide', onPageHide);
    addEventListener('pageshow', onPageShow);
    return () => {
      removeEventListener('pagehide', onPageHide);
      removeEventListener('pageshow', onPageShow);
    };
  }, [store]);
  return null;
}
