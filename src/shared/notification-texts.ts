import type { Notification } from './notifications.ts';
import { mostUnread } from './number-texts.ts';

/** Verb phrases for one person and for several. */
export const notificationVerbs: Readonly<
  Record<Notification['kind'], [one: string, several: string]>
> = {
  reply: ['te respondió', 'te respondieron'],
  mention: ['te mencionó', 'te mencionaron'],
  thanks: ['te dio las gracias', 'te dieron las gracias'],
};

const counted = (count: number) => (count > mostUnread ? `${mostUnread}+` : count);

export const unreadText = (count: number) => (count === 1 ? '1 nuevo' : `${counted(count)} nuevos`);

export const notificationsText = (count: number) =>
  count === 1 ? '1 aviso' : `${counted(count)} avisos`;
