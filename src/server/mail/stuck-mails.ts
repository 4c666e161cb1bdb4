import type { Database } from '../database/tables.ts';

/** Counts the mails that have been queued since before a time, and their accounts, with when any mail was last sent. */
export async function countStuck(
  db: Database,
  beforeMs: number,
): Promise<{
  count: number;
  accounts: number;
  oldestMs: number | null;
  lastSentMs: number | null;
}> {
  const { count, accounts, oldestMs } = await db
    .selectFrom('mails')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.count<number>('account_id').distinct().as('accounts'),
      fn.min('created_at_ms').as('oldestMs'),
    ])
    .where('next_try_at_ms', 'is not', null)
    .where('created_at_ms', '<=', beforeMs)
    .executeTakeFirstOrThrow();
  const { lastSentMs } = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.max('sent_at_ms').as('lastSentMs'))
    .where('sent_at_ms', 'is not', null)
    .executeTakeFirstOrThrow();
  return { count: Number(count), accounts: Number(accounts), oldestMs, lastSentMs };
}

/** Counts the confirmed addresses that were first refused after a time. */
export async function countRefused(db: Database, afterMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mail_refused_at_ms', 'is not', null)
    .where('mail_refused_at_ms', '>', afterMs)
    .where('email_confirmed_at_ms', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
