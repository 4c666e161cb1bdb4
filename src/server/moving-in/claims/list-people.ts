import { type SqlBool, sql } from 'kysely';
import type { Claim, ImportedPeople, ImportedPerson } from '../../../shared/imported-people.ts';
import { limits } from '../../../shared/limits.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { trashMs } from '../../system/times.ts';
import { countWritten } from './claimable.ts';

/** Imported people in `accounts` who are not erased, with the row of one of their names in the chat. */
const selectPeople = (db: Database) =>
  db
    .selectFrom('imported_people')
    .innerJoin('accounts', 'accounts.id', 'imported_people.account_id')
    .select(['accounts.id', 'accounts.name', countWritten.as('comments')])
    .where('accounts.erased_at_ms', 'is', null)
    .where(
      sql<SqlBool>`not exists (select 1 from imported_people as earlier
        where earlier.channel_id = imported_people.channel_id
          and earlier.account_id = imported_people.account_id
          and earlier.source_hash < imported_people.source_hash)`,
    );

/**
 * One page of the people who wrote in a chat, without those who withdrew their words and those whose claim is final.
 * @param after `next` of the previous page
 * @throws ApiError `channel_not_found` when no chat became this channel
 */
export async function listImportedPeople(
  db: Database,
  channelId: string,
  after = '',
): Promise<ImportedPeople> {
  const found = await db
    .selectFrom('imports')
    .select('channel_id')
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  if (!found) throw new ApiError('channel_not_found');
  const rows = await selectPeople(db)
    .leftJoin('accounts as claimant', 'claimant.id', 'claimed_by')
    .select(['claimed_by', 'claimed_at_ms', 'accounts.deletion_at_ms', 'claimant.name as claimant'])
    .where('imported_people.channel_id', '=', channelId)
    .where('accounts.id', '>', after)
    .orderBy('accounts.id')
    .limit(limits.listItems + 1)
    .execute();
  const page = rows.slice(0, limits.listItems);
  return {
    data: page.map(toPerson),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
}

function toPerson(row: {
  id: string;
  name: string;
  comments: number | null;
  claimed_by: string | null;
  claimed_at_ms: number | null;
  claimant: string | null;
  deletion_at_ms: number | null;
}): ImportedPerson {
  const { id, name, claimed_by, claimed_at_ms, deletion_at_ms } = row;
  const untilMs = claimed_at_ms === null ? deletion_at_ms : claimed_at_ms + trashMs;
  return {
    id,
    name,
    comments: Number(row.comments),
    state: claimed_by !== null ? 'claimed' : deletion_at_ms !== null ? 'leaving' : 'open',
    claimedBy: claimed_by === null ? null : { id: claimed_by, name: row.claimant ?? '' },
    until: untilMs === null ? null : toInstant(untilMs),
  };
}

/** The words that an account has claimed and can still give back. */
export async function listClaims(db: Database, accountId: string, nowMs: number): Promise<Claim[]> {
  const rows = await selectPeople(db)
    .innerJoin('channels', 'channels.id', 'channel_id')
    .select(['channels.id as channelId', 'channels.name as channel', 'claimed_at_ms'])
    .where('claimed_by', '=', accountId)
    .where('claimed_at_ms', '>', nowMs - trashMs)
    .orderBy('claimed_at_ms', 'desc')
    .limit(limits.listItems)
    .execute();
  return rows.map(({ comments, claimed_at_ms, ...row }) => ({
    ...row,
    comments: Number(comments),
    until: toInstant((claimed_at_ms ?? 0) + trashMs),
  }));
}
