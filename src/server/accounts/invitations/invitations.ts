import { hash, randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { visibleKey } from '../../../shared/clean-text.ts';
import { limits } from '../../../shared/limits.ts';
import type { Role } from '../../../shared/moderation.ts';
import type { Invitation, NewInvitation } from '../../../shared/site-settings.ts';
import { type Database, type Tables, toInstant } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import { dayMs } from '../../system/times.ts';
import { requireApproved } from '../standing/approval.ts';
import { isListed } from '../standing/listed.ts';
import { findRestriction, requireWriter } from '../standing/restrictions.ts';

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

/** @param code as created or as typed by a person */
export const codeHash = (code: string) => hash('sha256', visibleKey(code), 'base64url');

/**
 * Creates an invitation.
 * @returns it with its code; only a hash of the code is stored
 * @throws ApiError `registration_closed`, `not_approved`; errors of `requireWriter`
 */
export async function invite(
  { withTransaction, now }: Services,
  accountId: string,
  { uses = 1, days = limits.invitationDays }: NewInvitation,
): Promise<{ invitation: Invitation; code: string }> {
  const nowMs = now();
  return withTransaction(`account ${accountId}`, async (trx) => {
    await requireWriter(trx, accountId, nowMs);
    const { registration } = await settingsInForce(trx);
    if (registration === 'closed') throw new ApiError('registration_closed');
    await requireApproved(trx, accountId);
    return insertInvitation(trx, accountId, { uses, days }, nowMs);
  });
}

/** Stores an invitation. @returns it with its code */
export async function insertInvitation(
  trx: Database,
  accountId: string,
  { uses, days }: Required<NewInvitation>,
  nowMs: number,
): Promise<{ invitation: Invitation; code: string }> {
  const code = randomBytes(16).toString('base64url');
  const row = {
    id: uuidv7(),
    code_hash: codeHash(code),
    account_id: accountId,
    uses,
    used: 0,
    created_at_ms: nowMs,
    ends_at_ms: nowMs + days * dayMs,
    revoked_at_ms: null,
  };
  await trx.insertInto('invitations').values(row).execute();
  return { invitation: toInvitation(row), code };
}

/** The invitations of an account, newest first. */
export async function listInvitations(db: Database, accountId: string): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('account_id', '=', accountId)
    // Mailed invitations have a list of their own, for moderators.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mailed_invitations')
            .select('mailed_invitations.id')
            .whereRef('mailed_invitations.id', '=', 'invitations.id'),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .limit(limits.listItems)
    .execute();
  return rows.map(toInvitation);
}

/** Revokes an invitation of the account. Repeating it changes nothing. @throws ApiError `invitation_not_found` */
export async function revokeInvitation(
  { withTransaction, now }: Services,
  accountId: string,
  id: string,
): Promise<void> {
  await withTransaction(`account ${accountId}`, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('invitations')
      .set((eb) => ({
        revoked_at_ms: eb.fn.coalesce('revoked_at_ms', sql<number>`cast(${now()} as bigint)`),
      }))
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ApiError('invitation_not_found');
  });
}

/**
 * @returns the id of a valid invitation whose maker is approved and may write, and the maker's role and name
 * @throws ApiError `invitation_required`
 */
export async function requireInvitation(
  db: Database,
  code: string,
  nowMs: number,
): Promise<{ id: string; role: Role; name: string }> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.id', 'invitations.account_id')
    .select(['invitations.id', 'account_id', 'role', 'name'])
    .where('code_hash', '=', codeHash(code))
    .where(isValid(nowMs))
    .executeTakeFirst();
  if (!row || (await findRestriction(db, row.account_id, nowMs)))
    throw new ApiError('invitation_required');
  return row;
}

/**
 * Counts one use of an invitation. Simultaneous uses cannot exceed its limit. @throws ApiError `invitation_required`
 */
export async function takeInvitation(trx: Database, id: string, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where('id', '=', id)
    .where(isValid(nowMs))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ApiError('invitation_required');
}

const isValid = (nowMs: number) =>
  sql<boolean>`(revoked_at_ms is null and used < uses and ends_at_ms > ${nowMs} and exists (
    select 1 from accounts
    where accounts.id = invitations.account_id and disabled_at_ms is null and ${isListed}
  ))`;

function toInvitation({ id, uses, used, ...row }: Selectable<Tables['invitations']>): Invitation {
  return {
    id,
    uses,
    used,
    isRevoked: row.revoked_at_ms !== null,
    createdAt: toInstant(row.created_at_ms),
    endsAt: toInstant(row.ends_at_ms),
  };
}
