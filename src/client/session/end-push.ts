/**
 * Removes the service worker and with it the push subscription, so that no message on its way is shown later, and the
 * messages that are shown.
 */
export async function endPush(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  for (const registration of registrations) {
    for (const message of await registration.getNotifications()) message.close();
    await registration.unregister();
  }
}
