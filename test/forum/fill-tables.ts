import { type RawBuilder, sql } from 'kysely';
import { hashPassword } from '../../src/server/accounts/passwords/passwords.ts';
import { openDatabase } from '../../src/server/database/engine.ts';
import { writeState } from '../../src/server/search-index/index-state.ts';
import {
  type Filling,
  fillChannels,
  fillComments,
  fillDetails,
  filled,
  fillHistory,
  fillIndex,
  fillModeration,
  fillNotifications,
  fillPendingPosts,
  fillPolls,
} from './fill-forum.ts';
import type { Forum } from './forum.ts';

const dayMs = 86_400_000;
/** The password of all accounts. */
export const filledPassword = 'una contraseña: larga';

/** Fills all tables through a separate connection, so that the watched one does not record the inserts. */
export async function fillTables({ services }: Forum, filling: Filling): Promise<void> {
  const db = openDatabase(services.config, { noStatementTimeout: true });
  try {
    const nowMs = services.now();
    await fillChannels(db, filling, { passwordHash: await hashPassword(filledPassword), nowMs });
    await fillComments(db, filling, nowMs);
    await fillDetails(db);
    await fillPolls(db, nowMs + 30 * dayMs);
    await fillNotifications(db, filled.accountId(7), nowMs);
    for (let start = 0; start < filling.accounts; start += 100) {
      const rows = Array.from({ length: 100 }, (_, i) => ({
        key: `comment:${start + i}`,
        points: 1,
        expire: nowMs + 60_000,
      }));
      await db.insertInto('rate_limits').values(rows).execute();
    }
    await sql`
      insert into password_links (token_hash, account_id, expires_at_ms)
      select id, id, cast(${nowMs + 60_000} as bigint) from accounts
    `.execute(db);
    // Each account gets sessions, devices and other credentials besides its password.
    const later = sql`cast(${nowMs + 60_000} as bigint)`;
    await sql`
      insert into devices
        (id, token_hash, account_id, browser, created_at_ms, last_used_at_ms, expires_at_ms)
      select id, id, id, '', created_at_ms, created_at_ms, ${later} from accounts
    `.execute(db);
    // Each subscription with news is pushed to in transactions of its own.
    const haveNews = (old: RawBuilder<unknown>, newest: RawBuilder<unknown>) =>
      sql`case when id < ${filled.accountId(10)} then ${old} else ${newest} end`;
    await sql`
      insert into push_subscriptions
        (device_id, account_id, endpoint, p256dh, auth, created_at_ms, pushed_notification_id, next_try_at_ms)
      select id, id, id, '', '', created_at_ms, 0, ${haveNews(later, sql`cast(null as bigint)`)}
      from accounts
    `.execute(db);
    await sql`
      insert into recovery_codes (code_hash, account_id, created_at_ms)
      select id, id, created_at_ms from accounts
    `.execute(db);
    await sql`
      insert into passkeys (id, account_id, public_key, counter, transports, name, created_at_ms)
      select id, id, '', 0, '[]', '', created_at_ms from accounts
    `.execute(db);
    await sql`
      insert into passkey_challenges (challenge_hash, account_id, expires_at_ms)
      select id, id, ${later} from accounts
    `.execute(db);
    await sql`
      update accounts set email_confirmed_at_ms = 1 where id <> ${filled.accountId(11)}
    `.execute(db);
    await sql`
      insert into email_confirmations (token_hash, account_id, expires_at_ms)
      select id, id, ${later} from accounts
    `.execute(db);
    await sql`
      insert into mails (id, account_id, kind, rank, created_at_ms, ends_at_ms, sent_at_ms)
      select id, id, 'news', 3, ${nowMs - 1.5 * dayMs}, ${nowMs}, ${nowMs - 1.5 * dayMs} from accounts
    `.execute(db);
    await sql`insert into account_names (word, account_id) select id, id from accounts`.execute(db);
    await sql`
      insert into invitations (id, code_hash, account_id, uses, used, created_at_ms, ends_at_ms)
      select 'inv-' || id, 'inv-' || id, id, 1, 0, created_at_ms, ${later} from accounts
    `.execute(db);
    await sql`
      update accounts set admission = 'refused', disabled_at_ms = 1
      where id > ${filled.accountId(filling.accounts - 100)}
    `.execute(db);
    await fillModeration(db, nowMs + 100 * dayMs);
    await fillPendingPosts(db, nowMs + 100 * dayMs);
    await fillHistory(db, nowMs + 100 * dayMs);
    await fillIndex(db);
    // Leave some comments to be indexed.
    const some = db.deleteFrom('search_docs').where('number', '>', 390);
    await some.where('number', '<', 490).execute();
    await writeState(db, { remaining: 1 });
    if (services.config.databaseUrl) await sql`analyze`.execute(db);
  } finally {
    await db.destroy();
  }
}
