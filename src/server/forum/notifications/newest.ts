import { sql } from 'kysely';

/** Id of an account's newest notification, 0 if it has none. */
export const newestNotification = (accountId: string) =>
  sql<number>`(select coalesce(max(id), 0) from notifications where account_id = ${accountId})`;

/** Id of the newest decision that concerns an account, empty if there is none. */
export const newestDecision = (accountId: string) =>
  sql<string>`(select coalesce(max(decision_id), '') from decision_accounts where account_id = ${accountId})`;
