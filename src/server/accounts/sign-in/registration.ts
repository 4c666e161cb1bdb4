import { settingsInForce } from '../../database/site/site-settings.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { emailKey } from '../email-key.ts';
import { codeHash, requireInvitation } from '../invitations/invitations.ts';
import { emailTaken, type NewAccount } from './account-queries.ts';

/**
 * Finds how an account can be opened now: before its password is hashed, and again in the transaction that stores it.
 * @param code of an invitation, which skips the approval if a moderator made it; one that is not valid is refused where
 * none is needed, too
 * @throws ApiError `registration_closed`, `invitation_required`, `email_taken` by an account that the invitation opened
 */
export async function requireWayIn(
  db: Database,
  code: string | undefined,
  email: string,
  nowMs: number,
): Promise<Pick<NewAccount, 'isPending' | 'invitationId'>> {
  const { registration } = await settingsInForce(db);
  if (registration === 'closed') throw new ApiError('registration_closed');
  if (code === undefined) {
    if (registration === 'invitation') throw new ApiError('invitation_required');
    return { isPending: registration === 'request', invitationId: null };
  }
  if (await hasOpened(db, code, email)) throw emailTaken();
  const { id: invitationId, role } = await requireInvitation(db, code, nowMs);
  return { isPending: registration === 'request' && role === 'member', invitationId };
}

/** Whether a sign-up is sent again. Other used-up invitations do not tell which accounts there are. */
async function hasOpened(db: Database, code: string, email: string): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('invitations', 'invitations.id', 'accounts.invitation_id')
    .select('accounts.id')
    .where('email_key', '=', emailKey(email))
    .where('code_hash', '=', codeHash(code))
    .executeTakeFirst();
  return account !== undefined;
}
