import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import { emailKey } from '../email-key.ts';
import { hashToken } from '../hash-token.ts';
import { requireInvitation, takeInvitation } from '../invitations.ts';
import { emailTaken } from './account-queries.ts';

/**
 * Refuses who cannot open an account now, before the password is hashed.
 * @param code of an invitation; one that is not valid is refused where none is needed, too
 * @throws ApiError `registration_closed`, `invitation_required`, `email_taken` by an account that the invitation opened
 */
export async function requireWayIn(
  db: Database,
  code: string | undefined,
  email: string,
  nowMs: number,
): Promise<void> {
  await registrationFor(db, code);
  if (code === undefined) return;
  if (await hasOpened(db, code, email)) throw emailTaken();
  await requireInvitation(db, code, nowMs);
}

/** Whether a sign-up is sent again. Other used-up invitations do not tell which accounts there are. */
async function hasOpened(db: Database, code: string, email: string): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('invitations', 'invitations.id', 'accounts.invitation_id')
    .select('accounts.id')
    .where('email_key', '=', emailKey(email))
    .where('code_hash', '=', hashToken(code))
    .executeTakeFirst();
  return account !== undefined;
}

/** As `requireWayIn`, in the transaction that stores the account; uses the invitation. */
export async function takeWayIn(
  trx: Database,
  code: string | undefined,
  nowMs: number,
): Promise<{ isPending: boolean; invitationId: string | null; isReviewed: boolean }> {
  const invitationId = code === undefined ? null : await takeInvitation(trx, code, nowMs);
  const { registration, holdsFirstPosts: isReviewed } = await registrationFor(trx, code);
  const isPending = registration === 'request' && invitationId === null;
  return { invitationId, isPending, isReviewed };
}

async function registrationFor(db: Database, code: string | undefined) {
  const settings = await settingsInForce(db);
  const { registration } = settings;
  if (registration === 'closed') throw new ApiError('registration_closed');
  if (registration === 'invitation' && code === undefined)
    throw new ApiError('invitation_required');
  return settings;
}
