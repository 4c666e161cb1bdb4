import { hash } from 'node:crypto';
import type { Database } from '../database/tables.ts';

/** The form in which the token of a link is stored. */
export const hashOfToken = (token: string) => hash('sha256', token, 'base64url');

/** @returns the id of the account that a link is for; undefined when it was used, replaced or has expired */
export async function findLinkAccount(
  db: Database,
  table: 'password_links' | 'email_confirmations',
  token: string,
  nowMs: number,
): Promise<string | undefined> {
  const link = await db
    .selectFrom(table)
    .select(['account_id', 'expires_at_ms'])
    .where('token_hash', '=', hashOfToken(token))
    .executeTakeFirst();
  return link && link.expires_at_ms > nowMs ? link.account_id : undefined;
}
