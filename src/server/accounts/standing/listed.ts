import { type SqlBool, sql } from 'kysely';

/** SQL condition on `accounts`: visitors are shown the account's name (approval.ts). */
export const isListed = sql<SqlBool>`(accounts.hidden_by is null and accounts.admission is null
  and (accounts.approved_at_ms is not null
    or coalesce((select reviews_first_posts from site_settings where id = 1), 0) = 0))`;
