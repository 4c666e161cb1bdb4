/** Removes the service worker and with it the push subscription, so that no message on its way is shown later. */
export async function endPush(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  for (const registration of registrations) await registration.unregister();
}
