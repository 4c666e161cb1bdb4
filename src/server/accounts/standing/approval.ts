import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { isListed } from './listed.ts';

/*
 * An account is approved from the time in `approved_at_ms`: a moderator approved it or one of its posts, it was given a
 * role, or it published something. While first posts are reviewed, visitors see the names of approved accounts only,
 * and posts by others wait for a moderator. Otherwise approval makes no difference.
 */

export interface Approvable {
  approved_at_ms: number | null;
}

async function isAccountListed(trx: Database, accountId: string): Promise<boolean> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId);
  return (await account.where(isListed).executeTakeFirst()) !== undefined;
}

/** Refuses an account whose name visitors would see before it is approved. @throws ApiError `not_approved` */
export async function requireApproved(trx: Database, accountId: string): Promise<void> {
  if (!(await isAccountListed(trx, accountId))) throw new ApiError('not_approved');
}

/**
 * Refuses an image on another site in a pending post, or for an account that visitors cannot see: that site would see
 * who reviews it, and could serve another image once it is approved.
 * @throws ApiError `invalid_fields`
 */
export async function refuseOtherSites(
  trx: Database,
  accountId: string,
  { field, url, isPending = false }: { field: 'cover' | 'img'; url: string; isPending?: boolean },
): Promise<void> {
  if (url.startsWith('/') || (!isPending && (await isAccountListed(trx, accountId)))) return;
  const message =
    'Sube aquí la imagen: mientras alguien tenga que revisarla, no puede estar en otro sitio.';
  throw new ApiError('invalid_fields', { errors: [{ field, message }] });
}

export async function approve(
  trx: Database,
  announce: Announce,
  accountId: string,
  nowMs: number,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ approved_at_ms: nowMs })
    .where('id', '=', accountId)
    .where('approved_at_ms', 'is', null)
    .executeTakeFirst();
  // Any page may name it from now on, for example among those who gave thanks.
  if (numUpdatedRows > 0n) await announce({ kind: 'profile', accountId });
}

/** Ends a member's approval after a moderator hid or rejected one of their posts, unless another post is not hidden. */
export async function endApproval(
  trx: Database,
  announce: Announce,
  accountId: string,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ approved_at_ms: null })
    .where('id', '=', accountId)
    .where('role', '=', 'member')
    .where('approved_at_ms', 'is not', null)
    .where(sql<SqlBool>`not ${hasPublished}`)
    .executeTakeFirst();
  // Lists of people no longer name it.
  if (numUpdatedRows > 0n) await announce({ kind: 'profile', accountId });
}

/** Approves again the accounts among these that have a post that no moderator hides. */
export async function approveAuthors(
  trx: Database,
  announce: Announce,
  accountIds: string[],
  nowMs: number,
): Promise<void> {
  const approved = await trx
    .updateTable('accounts')
    .set({ approved_at_ms: nowMs })
    .where('id', 'in', accountIds)
    .where('approved_at_ms', 'is', null)
    .where(hasPublished)
    .returning('id')
    .execute();
  const [first] = approved;
  if (first) await announce({ kind: 'profile', accountId: first.id });
}

/**
 * Whether the account has a post that no moderator hides. Posts that it deleted count, since it can restore them, and
 * so do comments in a hidden channel of another author, since that decision is not about its commenters.
 */
const hasPublished = sql<SqlBool>`(
  exists (select 1 from comments join channels on channels.id = comments.channel_id
    where comments.account_id = accounts.id and comments.hidden_by is null
      and (channels.hidden_by is null or channels.account_id <> accounts.id))
  or exists (select 1 from channels where channels.account_id = accounts.id and channels.hidden_by is null))`;
