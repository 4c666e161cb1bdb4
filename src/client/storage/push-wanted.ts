import { localStore } from './browser-storage.ts';

const key = 'push';

/** Whether somebody switched push messages on in this browser, and did not switch them off or sign out since. */
export const isPushWanted = () => localStore.get(key) !== null;

export const setPushWanted = (isWanted: boolean) =>
  isWanted ? localStore.set(key, 'true') : localStore.remove(key);
