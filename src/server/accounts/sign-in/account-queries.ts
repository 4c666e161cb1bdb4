import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../../shared/accounts.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { requireImages } from '../../images/image-queries.ts';
import { emailKey } from '../../mail/email-key.ts';
import { indexNames } from '../../search-index/index-names.ts';
import { nameKey } from '../names.ts';
import { waiting } from '../standing/admission.ts';
import { refuseOtherSites } from '../standing/approval.ts';

export interface NewAccount {
  name: string;
  email: string;
  passwordHash: string;
  img: string | null;
  /** Stored only if the account waits for approval. */
  about: string;
  /** Whether the account waits for approval. */
  isPending: boolean;
  invitationId: string | null;
  /** Whether it will administer the site. */
  isFounder: boolean;
}

/**
 * Inserts an account. Call it in a transaction, because the image is checked first.
 * @throws ApiError `email_taken` when an account has this address in any case or Unicode form, `invalid_fields` for an
 * image on this site
 */
export async function insertAccount(
  trx: Database,
  account: NewAccount,
  nowMs: number,
): Promise<User> {
  const { passwordHash, about, isPending, invitationId, isFounder, ...profile } = account;
  const user: User = { id: uuidv7(), ...profile };
  // Rejects every image on this site, because a new account has uploaded none.
  if (user.img) await requireImages(trx, { accountId: user.id, use: 'avatar' }, [user.img], nowMs);
  try {
    await trx
      .insertInto('accounts')
      .values({
        ...user,
        email_key: emailKey(user.email),
        name_key: nameKey(user.name),
        password_hash: passwordHash,
        created_at_ms: nowMs,
        invitation_id: invitationId,
        ...(isFounder && { role: 'admin' as const, approved_at_ms: nowMs }),
        ...(isPending && { ...waiting(nowMs), about, disabled_at_ms: nowMs }),
      })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
  if (user.img) await refuseOtherSites(trx, user.id, { field: 'img', url: user.img });
  await indexNames(trx, [user]);
  return user;
}

export function emailTaken(): ApiError {
  const message = 'Ya hay una cuenta con ese correo.';
  return new ApiError('email_taken', { errors: [{ field: 'email', message }] });
}

/** Finds the account with this address in any case or Unicode form, with its password hash. */
export async function findCredentials(
  db: Database,
  email: string,
): Promise<{ user: User; passwordHash: string; isDisabled: boolean } | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'img', 'password_hash', 'disabled_at_ms'])
    .where('email_key', '=', emailKey(email))
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { password_hash, disabled_at_ms, ...user } = row;
  return { user, passwordHash: password_hash, isDisabled: disabled_at_ms !== null };
}
