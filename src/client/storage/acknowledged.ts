import { localStore } from './browser-storage.ts';

/** Also read by before-paint.ts. */
const key = 'acknowledged';

/** Keeps the ids of the announcements that the user has acknowledged, so that the home page is first painted without them. */
export function keepAcknowledged(ids: readonly string[]): void {
  if (ids.length === 0) localStore.remove(key);
  else localStore.set(key, ids.join(' '));
}
