import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/tables.ts';
import { mailToken } from './queue-mail.ts';

/** The token with which news of an account can be ended, and nothing else. It is valid as long as the address is. */
export async function unsubscribeToken(db: Database, accountId: string): Promise<string> {
  return `${accountId}.${await mailToken(db, accountId, 'unsubscribe')}`;
}

/** @returns the account of a token; undefined when it has none */
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
