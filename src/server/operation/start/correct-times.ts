import { sql } from 'kysely';
import { limits } from '../../../shared/limits.ts';
import type { Database } from '../../database/tables.ts';
import { dayMs } from '../../system/times.ts';

/** Time columns of a table, each with its maximum distance into the future in milliseconds. */
type Bounds = Record<string, number>;

const [past, days, long] = [0, 30 * dayMs, 365 * dayMs];

/**
 * All time columns except those that people set: the ends of silences, suspensions and invitations, and when dates take
 * place.
 */
export const boundsOfTables: Record<string, Bounds> = {
  accounts: {
    created_at_ms: past,
    disabled_at_ms: past,
    erased_at_ms: past,
    mailed_at_ms: past,
    name_changed_at_ms: past,
    recovery_reminded_at_ms: past,
    email_confirmed_at_ms: past,
    mail_refused_at_ms: past,
    approved_at_ms: past,
    moderation_mailed_at_ms: past,
    deletion_at_ms: days,
    deletion_requested_at_ms: past,
    mail_after_ms: 7 * dayMs,
  },
  invitations: { created_at_ms: past, revoked_at_ms: past },
  mailed_invitations: {
    created_at_ms: past,
    ends_at_ms: limits.longestInvitationDays * dayMs,
    again_at_ms: past,
    sent_at_ms: past,
    refused_at_ms: past,
  },
  devices: { created_at_ms: past, last_used_at_ms: past, expires_at_ms: 90 * dayMs },
  push_subscriptions: { created_at_ms: past, next_try_at_ms: dayMs },
  sessions: { created_at_ms: past, last_used_at_ms: past, expires_at_ms: long },
  recovery_codes: { created_at_ms: past },
  passkeys: { created_at_ms: past, last_used_at_ms: past },
  passkey_challenges: { expires_at_ms: past },
  password_links: { expires_at_ms: past },
  email_confirmations: { expires_at_ms: limits.confirmationDays * dayMs },
  mails: {
    created_at_ms: past,
    next_try_at_ms: past,
    sent_at_ms: past,
    ends_at_ms: limits.confirmationDays * dayMs,
  },
  channels: {
    created_at_ms: past,
    deleted_at_ms: past,
    closed_at_ms: past,
    edited_at_ms: past,
    active_at_ms: past,
    pinned_at_ms: past,
  },
  imports: { newest_ms: past, started_at_ms: past, changed_at_ms: past },
  imported_people: { claimed_at_ms: past },
  comments: { created_at_ms: past, edited_at_ms: past, deleted_at_ms: past },
  comment_thanks: { created_at_ms: past },
  comment_events: { changed_at_ms: past },
  event_dates: { cancelled_at_ms: past, told_at_ms: past, differs_since_ms: past },
  event_rsvps: { answered_at_ms: past },
  polls: {
    closes_at_ms: limits.pollDays * dayMs,
    closed_at_ms: past,
    restarted_at_ms: past,
  },
  // To the end of the day after 30 days, in any zone.
  announcements: { ends_at_ms: 32 * dayMs, told_at_ms: past, reminded_at_ms: past },
  acknowledgements: { acknowledged_at_ms: past },
  comment_versions: { replaced_at_ms: past },
  channel_versions: { replaced_at_ms: past },
  notifications: { created_at_ms: past },
  images: { created_at_ms: past, updated_at_ms: past, used_at_ms: past },
  unconfirmed_objects: { created_at_ms: past },
  decisions: { at_ms: past },
  appeals: { at_ms: past },
  cases: { opened_at_ms: past, decided_at_ms: past },
  reports: { created_at_ms: past },
  pending_posts: { created_at_ms: past, expires_at_ms: days },
  site: { founder_ends_at_ms: dayMs },
  site_settings: { saved_at_ms: past },
  audit_log: { at_ms: past },
  search_state: { merge_at_ms: dayMs },
  rate_limits: { expire: past },
};

/**
 * Corrects times recorded while the clock was ahead: sets each to the latest possible value, which for most is now.
 * @returns the number of changed rows
 */
export async function correctTimes(db: Database, nowMs: number): Promise<number> {
  let changed = 0;
  for (const [table, bounds] of Object.entries(boundsOfTables)) {
    const columns = Object.entries(bounds).map(([column, aheadMs]) => {
      const [name, latest] = [sql.ref(column), nowMs + aheadMs];
      return {
        isLate: sql`${name} > ${latest}`,
        set: sql`${name} = case when ${name} > ${latest} then ${latest} else ${name} end`,
      };
    });
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.join(columns.map(({ set }) => set))}
      where ${sql.join(
        columns.map(({ isLate }) => isLate),
        sql` or `,
      )}`.execute(db);
    changed += Number(numAffectedRows);
  }
  return changed;
}
