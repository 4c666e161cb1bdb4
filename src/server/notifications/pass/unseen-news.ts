import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { notificationKinds } from '../../../shared/notification-kinds.ts';
import type { Important } from '../../../shared/notification-settings.ts';
import type { Follow, NotificationKind } from '../../../shared/notifications.ts';
import type { MailKind } from '../../database/account-tables.ts';

/** The later of two marks: what was seen, mailed or pushed is not told again. */
export const laterOf = (seen: string, told: string) => sql<number>`(
  case when ${sql.ref(seen)} > ${sql.ref(told)} then ${sql.ref(seen)} else ${sql.ref(told)} end)`;

/**
 * SQL condition on `notifications`: written at a time or before. One that was written while the clock was ahead counts
 * as written before, since it would otherwise wait until that time.
 */
export const isWrittenBy = (timeMs: RawBuilder<number> | number, nowMs: number) => sql<SqlBool>`(
  notifications.created_at_ms <= ${timeMs} or notifications.created_at_ms > ${nowMs})`;

/**
 * Whether a mail of this kind tells of a kind of notification.
 * @param account.follow the level of those who chose none, which decides about new channels
 * @param account.important how the account is told of what does not wait
 */
export function isMailedAs(
  mailKind: MailKind,
  { mail }: Pick<(typeof notificationKinds)[NotificationKind], 'mail'>,
  { follow, important }: { follow: Follow; important: Important },
): boolean {
  if (mail === 'at once') return importantMail[important] === mailKind;
  return mailKind === 'news' && (mail === 'digest' || follow === 'all');
}

/** The mails that tell of what does not wait. */
const importantMail: Record<Important, MailKind | null> = {
  now: 'notices',
  digest: 'news',
  never: null,
};
