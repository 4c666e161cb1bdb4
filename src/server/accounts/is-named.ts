import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { isVisibleRow } from '../database/visible-rows.ts';
import { settingsInForce } from '../site-settings/site-settings.ts';

/**
 * Whether visitors are shown an account, as a condition on `accounts`: no wave hides it and, while first posts are
 * reviewed, a moderator has approved it and hidden nothing since, or something of it is neither hidden nor deleted.
 */
export async function isNamed(db: Database): Promise<RawBuilder<SqlBool>> {
  if (!(await settingsInForce(db)).holdsFirstPosts) return sql<SqlBool>`accounts.hidden_by is null`;
  return sql<SqlBool>`(accounts.hidden_by is null and (role <> 'member'
    or (select action from decision_accounts join decisions on decisions.id = decision_id
      where account_id = accounts.id and action in ('approve', 'hide', 'hideAll')
        and ended_by is null and undone_at_ms is null
      order by decision_id desc limit 1) = 'approve'
    or ${hasWritten('comments')} or ${hasWritten('channels')}))`;
}

const hasWritten = (table: 'comments' | 'channels') => sql<SqlBool>`exists (
  select 1 from ${sql.table(table)} where account_id = accounts.id and ${isVisibleRow})`;
