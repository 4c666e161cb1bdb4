import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '../../src/server/database/tables.ts';

/** Asserts that the decisions in force determine what is hidden, and that the counts of channels and dates agree with it. */
export async function expectConsistent(db: Database): Promise<void> {
  const { rows: wrong } = await sql<{ what: string; id: string }>`
    with in_force as (
      select * from decisions where not exists (
        select 1 from decisions as later where later.undoes = decisions.id)
    )
    select 'account' as what, id from accounts where hidden_by is distinct from (
      select max(case when in_force.id = accounts.hidden_by then in_force.id end) from in_force
      join decision_accounts on decision_id = in_force.id
      where account_id = accounts.id and action = 'hideAll')
      or (hidden_by is null and exists (
        select 1 from in_force join decision_accounts on decision_id = in_force.id
        where account_id = accounts.id and action = 'hideAll'))
    union all
    select 'comment', channel_id || '-' || number from comments
    where deleted_at_ms is distinct from 0 and (hidden_by is null) = exists (
      select 1 from in_force where action = 'hide' and subject_kind = 'comment'
        and subject_id = channel_id || '-' || comments.number)
    union all
    select 'channel', id from channels
    where deleted_at_ms is distinct from 0 and (hidden_by is null) = exists (
      select 1 from in_force where action = 'hide' and subject_kind = 'channel'
        and subject_id = channels.id)
    union all
    select 'count', id from channels where comment_count <> (
      select count(*) from comments join accounts on accounts.id = comments.account_id
      where channel_id = channels.id and comments.deleted_at_ms is null
        and comments.hidden_by is null and accounts.hidden_by is null)
    union all
    select 'date', channel_id || '-' || number || '-' || position from event_dates
    where yes + waiting <> (
      select coalesce(sum(people), 0) from event_rsvps
      join accounts on accounts.id = event_rsvps.account_id
      where event_rsvps.channel_id = event_dates.channel_id and answer = 'yes'
        and event_rsvps.number = event_dates.number
        and event_rsvps.position = event_dates.position and accounts.hidden_by is null)
  `.execute(db);
  assert.deepEqual(wrong, []);
}
