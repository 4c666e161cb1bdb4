import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { emailKey } from '../../mail/email-key.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import { isFounderCode, isUsedFounderCode } from '../invitations/founder-link.ts';
import { codeHash, requireInvitation } from '../invitations/invitations.ts';
import { emailTaken, type NewAccount } from './account-queries.ts';

/**
 * Determines how an account can be opened now. Call it before the password is hashed, and again in the transaction that
 * stores the account.
 * @param code of the founder's link, which is valid in every registration mode, or of an invitation; one made by a
 * moderator skips the approval. An invalid one is refused even if none is needed
 * @throws ApiError `registration_closed`, `invitation_required`; `email_taken` when the code already opened an account
 * with this address
 */
export async function requireWayIn(
  db: Database,
  code: string | undefined,
  email: string,
  nowMs: number,
): Promise<Pick<NewAccount, 'isPending' | 'invitationId' | 'isFounder'>> {
  if (code !== undefined) {
    if (await isFounderCode(db, code, nowMs))
      return { isPending: false, invitationId: null, isFounder: true };
    if (await hasOpened(db, code, email)) throw emailTaken();
  }
  const { registration } = await settingsInForce(db);
  if (registration === 'closed') throw new ApiError('registration_closed');
  if (code === undefined) {
    if (registration === 'invitation') throw new ApiError('invitation_required');
    return { isPending: registration === 'request', invitationId: null, isFounder: false };
  }
  const { id: invitationId, role } = await requireInvitation(db, code, nowMs);
  const isPending = registration === 'request' && role === 'member';
  return { isPending, invitationId, isFounder: false };
}

/**
 * Whether this code already opened an account with this address: the sign-up was repeated. Other used-up codes do not
 * reveal which accounts exist.
 */
async function hasOpened(db: Database, code: string, email: string): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .leftJoin('invitations', 'invitations.id', 'accounts.invitation_id')
    .select(['code_hash', 'role'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  if (account?.code_hash === codeHash(code)) return true;
  return account?.role === 'admin' && isUsedFounderCode(db, code);
}
