import { useEffect } from 'react';
import { changeEntry } from '../../dom/entry-state.ts';
import { useFragmentKey } from '../../dom/navigation.tsx';
import { useIsReady } from '../../state/store-provider.tsx';
import { sessionStore } from '../../storage/browser-storage.ts';

const key = 'invitation';
/** Excludes the fragment of the link that skips to the content. */
const isCode = (fragment: string) => /^[\w-]{20,64}$/.test(fragment);

/**
 * The code of the invitation whose link opened the page, or ''. It is removed from the address, so that nobody
 * shares it by mistake, and stored for this tab.
 */
export function useInvitation(): string {
  const isReady = useIsReady();
  const fragment = useFragmentKey();
  const opened = isCode(fragment) ? fragment : '';
  useEffect(() => {
    if (!opened) return;
    sessionStore.set(key, opened);
    changeEntry({}, location.pathname + location.search);
  }, [opened]);
  return opened || (isReady && sessionStore.get(key)) || '';
}

export const discardInvitation = () => sessionStore.remove(key);
