import { shownAddress } from '../../dom/shown-address.ts';
import { copyLink } from './copy-link.ts';

/**
 * Opens the device's menu for sharing. Copies instead where there is none or it fails, but not when it was closed.
 * @param copy copies what is shared, and says so
 */
export async function share(data: ShareData, copy: () => Promise<void>): Promise<void> {
  if (!('share' in navigator)) return copy();
  try {
    await navigator.share(data);
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === 'AbortError';
    if (!isCancelled) await copy();
  }
}

/** Shares an address of this site with words about it. */
export const shareLink = (href: string, words: Pick<ShareData, 'title' | 'text'>) =>
  share({ ...words, url: shownAddress(href) }, () => copyLink(href));
