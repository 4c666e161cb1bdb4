import { mostUnread } from './number-texts.ts';

const counted = (count: number) => (count > mostUnread ? `${mostUnread}+` : count);

export const unreadText = (count: number) => (count === 1 ? '1 nuevo' : `${counted(count)} nuevos`);

export const notificationsText = (count: number) =>
  count === 1 ? '1 aviso' : `${counted(count)} avisos`;
