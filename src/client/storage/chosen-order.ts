import type { ChannelOrder } from '../../shared/channels.ts';
import { localStore } from './browser-storage.ts';

/** Also read by before-paint.ts. */
const key = 'order';

/** The order of channels that a signed-in user chose in this browser. */
export function readChosenOrder(): ChannelOrder {
  const order = localStore.get(key);
  return order === 'activity' || order === 'new' ? order : 'comments';
}

/** Keeps the order until somebody signs out. The default order is not stored. */
export function keepChosenOrder(order: ChannelOrder): void {
  if (order === 'comments') localStore.remove(key);
  else localStore.set(key, order);
}
