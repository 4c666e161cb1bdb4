import type { Selectable } from 'kysely';
import { kindsWith, type notificationKinds } from '../../shared/notification-kinds.ts';
import type { NotificationKind } from '../../shared/notifications.ts';
import { isMember } from '../accounts/standing/members.ts';
import type { Database, Tables } from '../database/tables.ts';

/** Columns of an account that say what it is told outside the pages. */
export const standingColumns = [
  ...(['id', 'disabled_at_ms', 'deletion_requested_at_ms', 'admission'] as const),
];

type Kind = (typeof notificationKinds)[NotificationKind];

/**
 * The kinds of notifications of which an account is told outside the pages: all, if it is a member. One that is hidden,
 * suspended or was refused is told of what concerns the account itself; one that is about to be erased, or that the
 * operator disabled, of nothing.
 * @param holds the kinds in question
 */
export async function kindsToldTo(
  db: Database,
  account: Pick<Selectable<Tables['accounts']>, (typeof standingColumns)[number]>,
  nowMs: number,
  holds: (kind: Readonly<Kind>) => boolean,
): Promise<NotificationKind[]> {
  const { id, disabled_at_ms, deletion_requested_at_ms, admission } = account;
  if (deletion_requested_at_ms !== null) return [];
  if (disabled_at_ms !== null && admission !== 'refused') return [];
  const accounts = db.selectFrom('accounts').select('id').where('id', '=', id);
  const member = await accounts.where(isMember(db, nowMs)).executeTakeFirst();
  return kindsWith((kind) => (member !== undefined || kind.toldTo === 'accounts') && holds(kind));
}
