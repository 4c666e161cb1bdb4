import { flushSync } from 'react-dom';
import { changeEntry, type Told } from '../dom/entry-state.ts';
import type { Store } from '../state/store.ts';
import { clearSession, readRemembered, readSession } from '../storage/session.ts';

/**
 * Loads the document anew. A document belongs to one person from signing in until this, and nothing of the person stays
 * in its memory.
 * @param told said on the new page
 */
export function loadAnew(told?: Told): void {
  changeEntry({ told });
  location.reload();
}

/**
 * Loads a page that returns from the back/forward cache anew when its person is not the tab's any more, or when the browser has ceased to
 * remember the person.
 * @returns a function that stops it
 */
export function followPageCache(store: Store): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let remembered: string | null = null;
  const onPageHide = () => {
    remembered = readRemembered();
  };
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    const { id, isLogged } = store.getState().user;
    const isForgotten = remembered === id && readRemembered() !== id;
    if (isForgotten && readSession()?.id === id) clearSession();
    if ((readSession()?.id ?? '') === (isLogged ? id : '')) return;
    // Until it is loaded, it shows a guest's page.
    if (isLogged) flushSync(() => store.dispatch({ type: 'LOGOUT_REQUEST' }));
    loadAnew();
  };
  addEventListener('pagehide', onPageHide, { signal });
  addEventListener('pageshow', onPageShow, { signal });
  return () => stop.abort();
}
