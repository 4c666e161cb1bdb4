import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { isListed } from '../../database/visible-rows.ts';
import { ApiError } from '../../http/api-error.ts';

/*
 * An account is approved from the time in `approved_at_ms`: a moderator approved it or what it wrote, it got a role, or
 * it published something. While first posts are reviewed, only approved accounts are named to visitors and publish
 * without waiting; without the review all are and do.
 */

export interface Approvable {
  approved_at_ms: number | null;
}

async function isAccountListed(trx: Database, accountId: string): Promise<boolean> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId);
  return (await account.where(isListed).executeTakeFirst()) !== undefined;
}

/** Refuses who would be named to visitors before being approved. @throws ApiError `not_approved` */
export async function requireApproved(trx: Database, accountId: string): Promise<void> {
  if (!(await isAccountListed(trx, accountId))) throw new ApiError('not_approved');
}

/**
 * Refuses an image of another site in a post that waits, and for an account that visitors are not shown: that site would
 * see who reviews it, and could send another image once it is approved.
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

export async function approve(trx: Database, accountId: string, nowMs: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ approved_at_ms: nowMs })
    .where('id', '=', accountId)
    .where('approved_at_ms', 'is', null)
    .execute();
}

/** Ends the approval of a member of whose posts a moderator hid or refused one, unless another one is not hidden. */
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

/** Approves those accounts again that published something that is not hidden any more. */
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
 * Whether no moderator hides all that it published. What it deleted counts, since it can restore that; so does what it
 * wrote in a hidden channel of somebody else, since that decision is not about the writers of the channel.
 */
const hasPublished = sql<SqlBool>`(
  exists (select 1 from comments join channels on channels.id = comments.channel_id
    where comments.account_id = accounts.id and comments.hidden_by is null
      and (channels.hidden_by is null or channels.account_id <> accounts.id))
  or exists (select 1 from channels where channels.account_id = accounts.id and channels.hidden_by is null))`;
