import { hash, randomBytes } from 'node:crypto';
import type { RecoveryCodesLeft } from '../../../shared/account-settings.ts';
import { visibleKey } from '../../../shared/clean-text.ts';
import { audited } from '../../database/audit-log.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { dayMs } from '../../system/times.ts';
import { lockVerified } from '../standing/open-account.ts';

const codesPerAccount = 10;
/** Crockford's Base32, five bits per character: omits letters that look like digits, and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeChars = 16;
const groups = /.{4}(?!$)/g;

/** Creates a code of 80 bits in four groups, such as `7K3M-Q9XT-0ABC-DEFG`. */
function createCode(): string {
  const chars = Array.from(randomBytes(codeChars), (byte) => alphabet[byte % alphabet.length]);
  return chars.join('').replace(groups, '$&-');
}

/**
 * Hash under which an account's code is stored. Ignores case, spaces, dashes and invisible characters, and reads
 * letters that look like digits as those digits. A fast hash is enough: 80 random bits cannot be guessed from a stolen
 * table.
 * @param typed bounded by its schema
 */
export function codeHash(accountId: string, typed: string): string {
  const code = visibleKey(typed)
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  return hash('sha256', `${accountId} ${code}`, 'base64url');
}

/**
 * Creates ten codes that replace the previous ones. Only their hashes are stored.
 * @param passwordHash the hash that the account's password was verified against
 * @throws ApiError `wrong_password` when the password has changed since
 */
export async function createRecoveryCodes(
  services: { withTransaction: WithTransaction; now: () => number },
  accountId: string,
  passwordHash: string,
): Promise<string[]> {
  const codes = Array.from({ length: codesPerAccount }, createCode);
  await audited(services, 'owner', `account ${accountId}`, async (trx, changed) => {
    const nowMs = services.now();
    await lockVerified(trx, accountId, passwordHash);
    await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
    const row = { account_id: accountId, created_at_ms: nowMs };
    await trx
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ ...row, code_hash: codeHash(accountId, code) })))
      .execute();
    await trx
      .updateTable('accounts')
      .set({ recovery_reminded_at_ms: nowMs })
      .where('id', '=', accountId)
      .execute();
    changed('create-recovery-codes', accountId);
  });
  return codes;
}

export async function countRecoveryCodes(
  db: Database,
  accountId: string,
): Promise<RecoveryCodesLeft> {
  const row = await db
    .selectFrom('recovery_codes')
    .select((eb) => [
      eb.fn.countAll<number>().as('left'),
      eb.fn.max('created_at_ms').as('created_at_ms'),
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return {
    left: row.left,
    createdAt: row.created_at_ms === null ? null : toInstant(row.created_at_ms),
  };
}

/**
 * Whether to show the reminder to create recovery codes: once per password, for accounts at least a day old, whether or
 * not they have codes.
 */
export async function takeRecoveryReminder(
  { withTransaction, now }: { withTransaction: WithTransaction; now: () => number },
  accountId: string,
): Promise<boolean> {
  const updated = await withTransaction(`account ${accountId}`, (trx) =>
    trx
      .updateTable('accounts')
      .set({ recovery_reminded_at_ms: now() })
      .where('id', '=', accountId)
      .where('recovery_reminded_at_ms', 'is', null)
      .where('created_at_ms', '<=', now() - dayMs)
      .executeTakeFirst(),
  );
  return updated.numUpdatedRows === 1n;
}
