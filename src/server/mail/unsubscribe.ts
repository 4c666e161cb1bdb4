import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/tables.ts';
import { mailToken } from './queue-mail.ts';

/** A token that can only end an account's news. It is valid until the address changes. */
export async function unsubscribeToken(db: Database, accountId: string): Promise<string> {
  return `${accountId}.${await mailToken(db, accountId, 'unsubscribe')}`;
}

/** @returns the account of a token; undefined when the token is invalid */
export async function findUnsubscriber(db: Database, token: string): Promise<string | undefined> {
  const [id = ''] = token.split('.', 1);
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('mail_secret', 'is not', null)
    .executeTakeFirst();
  if (!account) return undefined;
  const [given, valid] = [Buffer.from(token), Buffer.from(await unsubscribeToken(db, id))];
  return given.length === valid.length && timingSafeEqual(given, valid) ? id : undefined;
}
