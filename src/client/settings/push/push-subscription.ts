import type { PushSubscriptionBody } from '../../../shared/notification-settings.ts';
import { ownFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { registerWorker } from '../../dom/register-worker.ts';
import { isPushWanted, setPushWanted } from '../../storage/push-wanted.ts';
import { getNotificationSettings } from '../mail/mail-calls.ts';
import { endPush, startPush } from './push-calls.ts';

/** Whether this browser can be sent push messages. On iPhones only the app on the home screen can. */
export const canReceivePush = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** iPads call themselves Macs, which have no touch screens. */
export const isIPhone = () =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

export const isPushBlocked = () => canReceivePush() && Notification.permission === 'denied';

const findRegistration = () => navigator.serviceWorker.getRegistration('/');

/** This browser's subscription, without which the server's is useless. */
async function findSubscription(): Promise<PushSubscription | null> {
  return (await (await findRegistration())?.pushManager.getSubscription()) ?? null;
}

/**
 * Whether push messages were switched on in this browser and neither switched off nor ended by signing out; and whether
 * it still has a subscription, which browsers and push services may end.
 */
export async function findPush(): Promise<{ isWanted: boolean; isSubscribed: boolean }> {
  if (!canReceivePush()) return { isWanted: false, isSubscribed: false };
  return { isWanted: isPushWanted(), isSubscribed: (await findSubscription()) !== null };
}

export const blockedText =
  'Este navegador tiene bloqueados los avisos del foro. Permítelos en los ajustes de este sitio, con el icono que hay junto a la dirección, y recarga la página.';

/**
 * Starts push messages to this browser, which asks for permission. Call it when a button was pressed.
 * @param key the site's public key
 * @throws `Failure`
 */
export async function subscribe(key: string): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission === 'denied') throw ownFailure(blockedText);
  if (permission !== 'granted') throw ownFailure('Para recibirlos, permítelos en el navegador.');
  const subscription = await makeSubscription(key).catch(async () => {
    await (await findRegistration())?.unregister();
    throw ownFailure(
      'El navegador no ha podido activarlos. Vuelve a intentarlo más tarde o prueba con otro.',
    );
  });
  await request(startPush, subscription.toJSON() as PushSubscriptionBody);
  setPushWanted(true);
}

/**
 * Starts push messages again that were switched on in this browser, and ended without anybody wishing so: the push
 * service no longer knew the subscription, or the browser replaced it. Asks for no permission.
 * @returns whether they had ended
 * @throws `Failure`, or an error of the browser
 */
export async function renewPush(): Promise<boolean> {
  const { isWanted, isSubscribed } = await findPush();
  if (!isWanted || Notification.permission !== 'granted') return false;
  const { push } = await request(getNotificationSettings, undefined, { isBackground: true });
  if (!push || (isSubscribed && push.devices.some(({ isCurrent }) => isCurrent))) return false;
  const subscription = await makeSubscription(push.key);
  const body = subscription.toJSON() as PushSubscriptionBody;
  await request(startPush, body, { isBackground: true });
  return true;
}

async function makeSubscription(key: string): Promise<PushSubscription> {
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  // A former one may have been made with another key, as before the site was restored.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Ends push messages to this browser, and removes its service worker. @throws `Failure` */
export async function unsubscribe(): Promise<void> {
  const subscription = await findSubscription();
  if (subscription) await request(endPush, { endpoint: subscription.endpoint });
  await subscription?.unsubscribe();
  await (await findRegistration())?.unregister();
  setPushWanted(false);
}
