import { setPushWanted } from '../storage/push-wanted.ts';

/** Removes the service worker and with it the push subscription, so that no message on its way is shown later. */
export async function endPush(): Promise<void> {
  setPushWanted(false);
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  for (const registration of registrations) await registration.unregister();
}
