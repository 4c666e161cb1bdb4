import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';

/**
 * Refuses an image of another site in a post that waits, and for an account that visitors are not shown: that site would
 * see who reviews it, and could send another image once it is approved.
 * @throws ApiError `invalid_fields`
 */
export async function refuseOtherSites(
  trx: Database,
  accountId: string,
  { field, url, isHeld = false }: { field: 'cover' | 'img'; url: string; isHeld?: boolean },
): Promise<void> {
  if (url.startsWith('/') || (!isHeld && (await isApproved(trx, accountId)))) return;
  const message =
    'Sube aquí la imagen: mientras alguien tenga que revisarla, no puede estar en otro sitio.';
  throw new ApiError('invalid_fields', { errors: [{ field, message }] });
}

/*
 * Whether visitors are shown an account is its column `is_shown`: 1 from sign-up on where first posts are not reviewed,
 * else from its approval, role or first published post; 0 after a rejection. Turning the review on or off changes no row.
 * Whether a post is held asks for more (`publishesFreely`): who signed up before the review was turned on is shown, and
 * its first post is held.
 */

/** Whether visitors are shown an account, as a condition on `accounts`. */
export const isNamed = sql<SqlBool>`(accounts.hidden_by is null and accounts.is_shown = 1)`;

/** Whether visitors are shown an account, which does not wait to be let in. */
function isApproved(trx: Database, accountId: string): Promise<boolean> {
  return fulfils(trx, accountId, isNamed);
}

/** Refuses who would be named to visitors without being shown yet. @throws ApiError `not_approved` */
export async function requireApproved(trx: Database, accountId: string): Promise<void> {
  if (!(await isApproved(trx, accountId))) throw new ApiError('not_approved');
}

/** Shows visitors an account that was approved, or has published something. */
export async function showAccount(
  trx: Database,
  announce: Announce,
  accountId: string,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ is_shown: 1 })
    .where('id', '=', accountId)
    .where('is_shown', '=', 0)
    .executeTakeFirst();
  // Lists of people name it from now on.
  if (numUpdatedRows > 0n) await announce({ kind: 'profile', accountId });
}

/** Shows visitors a rejected account no longer, unless it was approved before or has something published. */
export async function unshowRejected(
  trx: Database,
  announce: Announce,
  accountId: string,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ is_shown: 0 })
    .where('id', '=', accountId)
    .where(sql<SqlBool>`${isTrusted()} is not true`)
    .execute();
  await announce({ kind: 'profile', accountId });
}

/** Shows visitors those accounts again that are trusted once a decision on them is undone. */
export async function showTrusted(
  trx: Database,
  announce: Announce,
  accountIds: string[],
): Promise<void> {
  const shown = await trx
    .updateTable('accounts')
    .set({ is_shown: 1 })
    .where('id', 'in', accountIds)
    .where('is_shown', '=', 0)
    .where('admission', 'is', null)
    .where(isTrusted())
    .returning('id')
    .execute();
  const [first] = shown;
  if (first) await announce({ kind: 'profile', accountId: first.id });
}

/** Whether posts of an account are published at once while first posts are reviewed, unless a signal holds them. */
export function publishesFreely(trx: Database, accountId: string): Promise<boolean> {
  return fulfils(trx, accountId, isTrusted());
}

async function fulfils(
  trx: Database,
  accountId: string,
  condition: RawBuilder<SqlBool>,
): Promise<boolean> {
  const account = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('admission', 'is', null)
    .where(condition)
    .executeTakeFirst();
  return account !== undefined;
}

/**
 * Whether a moderator has approved something of an account and hidden nothing since, or something of it is neither hidden
 * nor deleted.
 */
function isTrusted(): RawBuilder<SqlBool> {
  return sql<SqlBool>`(accounts.hidden_by is null and (role <> 'member'
    or (select action from decision_accounts join decisions on decisions.id = decision_id
      where account_id = accounts.id and action in ('approve', 'hide', 'hideAll')
        and not exists (select 1 from decisions as later where later.undoes = decisions.id)
      order by decisions.number desc limit 1) = 'approve'
    or ${hasWritten('comments')} or ${hasWritten('channels')}))`;
}

const hasWritten = (table: 'comments' | 'channels') => sql<SqlBool>`exists (
  select 1 from ${sql.table(table)} as written where written.account_id = accounts.id
    and written.deleted_at_ms is null and written.hidden_by is null)`;
