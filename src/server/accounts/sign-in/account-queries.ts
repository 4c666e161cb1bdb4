import { v7 as uuidv7 } from 'uuid';
import type { Profile, User } from '../../../shared/accounts.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { requireImages } from '../../images/image-queries.ts';
import type { Change, LiveBus } from '../../live/bus/live-bus.ts';
import { readDeletion } from '../deletion/deletion-request.ts';
import { emailKey } from '../email-key.ts';
import { nameKey } from '../name-key.ts';

interface NewAccount {
  name: string;
  email: string;
  passwordHash: string;
  img: string | null;
}

/**
 * Inserts an account. Call it in a transaction, because the image is checked first.
 * @throws ApiError `email_taken` when an account has this address in any case or Unicode form,
 * `invalid_fields` for an image of this site
 */
export async function insertAccount(
  trx: Database,
  account: NewAccount,
  nowMs: number,
): Promise<User> {
  const { passwordHash, ...profile } = account;
  const user: User = { id: uuidv7(), ...profile };
  // Rejects every image of this site, because a new account has uploaded none.
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
      })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
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

/** Stores a stronger hash of the same password, unless the password was changed meanwhile. */
export async function replaceHash(
  db: Database,
  accountId: string,
  hash: { old: string; stronger: string },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ password_hash: hash.stronger })
    .where('id', '=', accountId)
    .where('password_hash', '=', hash.old)
    .execute();
}

export async function readProfile(db: Database, user: User): Promise<Profile> {
  const { count } = await db
    .selectFrom('visible_channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', user.id)
    .executeTakeFirstOrThrow();
  return { ...user, channelCount: count, deletion: await readDeletion(db, user.id) };
}

/**
 * Changes the image of the account, which its channels and comments show. The current image is valid too.
 * @throws ApiError `invalid_fields` for another image than one of its own
 */
export async function updateImage(
  { transact, live }: { transact: Transact; live: LiveBus },
  id: string,
  img: string | null,
  nowMs: number,
): Promise<void> {
  const change: Change = { kind: 'account', accountId: id };
  await transact(`account ${id}`, async (trx) => {
    const current = await trx
      .selectFrom('accounts')
      .select('img')
      .where('id', '=', id)
      .executeTakeFirst();
    if (img && img !== current?.img) {
      await requireImages(trx, { accountId: id, use: 'avatar' }, [img], nowMs);
    }
    await trx.updateTable('accounts').set({ img }).where('id', '=', id).execute();
    await live.announce(trx, change);
  });
  live.publish(change);
}
