import type { Selectable } from 'kysely';
import { kindsWith, type notificationKinds } from '../../shared/notification-kinds.ts';
import type { NotificationKind } from '../../shared/notifications.ts';
import { findRestriction } from '../accounts/standing/restrictions.ts';
import type { Database, Tables } from '../database/tables.ts';

/** Columns of an account that say what it is told outside the pages. */
export const standingColumns = [
  ...['id', 'hidden_by', 'disabled_at_ms', 'deletion_requested_at_ms', 'admission'],
] as const;

type Standing = Pick<Selectable<Tables['accounts']>, (typeof standingColumns)[number]>;
type Kind = (typeof notificationKinds)[NotificationKind];

/**
 * The kinds of notifications of which an account is told outside the pages: all, if it can sign in and read. One that is
 * hidden, suspended or was refused is told of what concerns the account itself; one that is about to be erased, or that
 * the operator disabled, of nothing. Silenced accounts can read.
 * @param holds the kinds in question
 */
export async function kindsToldTo(
  db: Database,
  account: Standing,
  nowMs: number,
  holds: (kind: Readonly<Kind>) => boolean,
): Promise<NotificationKind[]> {
  if (account.deletion_requested_at_ms !== null) return [];
  const isRefused = account.admission === 'refused';
  if (account.disabled_at_ms !== null && !isRefused) return [];
  const isReader = !isRefused && (await isReading(db, account, nowMs));
  return kindsWith((kind) => (isReader || kind.toldTo === 'accounts') && holds(kind));
}

async function isReading(db: Database, { id, hidden_by }: Standing, nowMs: number) {
  if (hidden_by !== null) return false;
  return (await findRestriction(db, id, nowMs))?.code !== 'suspended';
}
