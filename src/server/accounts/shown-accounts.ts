import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { settingsInForce } from '../site-settings/site-settings.ts';

/**
 * Refuses an image of another site for an account that visitors are not shown: that site would see who reviews the
 * account, and could send another image once it is approved.
 * @throws ApiError `invalid_fields`
 */
export async function refuseOtherSites(
  trx: Database,
  accountId: string,
  { field, url }: { field: 'cover' | 'img'; url: string },
): Promise<void> {
  if (url.startsWith('/') || (await isApproved(trx, accountId))) return;
  const message =
    'Sube aquí la imagen: mientras no se muestre tu cuenta, no puede estar en otro sitio.';
  throw new ApiError('invalid_fields', { errors: [{ field, message }] });
}

/** Whether visitors are shown an account, which does not wait to be let in. */
export async function isApproved(trx: Database, accountId: string): Promise<boolean> {
  const account = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('admission', 'is', null)
    .where(await isNamed(trx))
    .executeTakeFirst();
  return account !== undefined;
}

/**
 * Whether visitors are shown an account, as a condition on `accounts`: nothing hides all of it and, while first posts are
 * reviewed, a moderator has approved it and hidden nothing since, or something of it is neither hidden nor deleted.
 */
export async function isNamed(db: Database): Promise<RawBuilder<SqlBool>> {
  if (!(await settingsInForce(db)).holdsFirstPosts) return sql<SqlBool>`accounts.hidden_by is null`;
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
