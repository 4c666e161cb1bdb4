import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from '../state/store-provider.tsx';
import { readSession } from './session.ts';

/** Hands a page from the back/forward cache to whoever is signed in now: it may show another user. */
export function SessionHandover() {
  const store = useStore();
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      const { id, isLogged } = store.getState().user;
      const user = readSession();
      if (!persisted || (user ? user.id : '') === (isLogged ? id : '')) return;
      // Discards the previous user's input before the browser paints.
      flushSync(() => store.dispatch({ type: 'HANDED_OVER', user }));
    };
    addEventListener('pageshow', onPageShow);
    return () => removeEventListener('pageshow', onPageShow);
  }, [store]);
  return null;
}
