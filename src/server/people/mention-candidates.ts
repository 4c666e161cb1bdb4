import { limits } from '../../shared/limits.ts';
import type { MentionCandidate } from '../../shared/people.ts';
import { nameKey } from '../accounts/names.ts';
import { isNamed } from '../accounts/shown-accounts.ts';
import { type Database, toInstant } from '../database/tables.ts';

/** Number of newest comments of a channel whose authors are offered first. */
const newestNumbers = 1000;
/** Authors whose accounts one query looks up. */
const authorsAtOnce = 100;

interface Search {
  channelId: string;
  /** Number of the channel's newest comment. */
  newest: number;
  /** Beginning of the names, in any case and with any accents; empty for only people of the channel. */
  prefix: string;
  callerId: string;
}

/**
 * Finds at most `limits.mentionCandidates` people whom a comment can mention: first those who wrote in the
 * channel, latest first, then all others by name.
 */
export async function findMentionCandidates(
  db: Database,
  search: Search,
): Promise<MentionCandidate[]> {
  const key = nameKey(search.prefix);
  const people = await findPeopleOfChannel(db, search, key);
  const missing = limits.mentionCandidates - people.length;
  if (missing === 0 || key === '') return people;
  const others = await selectNamed(db, key)
    .where('accounts.id', 'not in', [search.callerId, ...people.map(({ id }) => id)])
    .where(isNamed)
    .select(['accounts.id', 'accounts.name', 'accounts.img'])
    .orderBy('accounts.name_key')
    .orderBy('accounts.id')
    .limit(missing)
    .execute();
  return [...people, ...others.map((one) => ({ ...one, img: one.img ?? '', lastCommentAt: null }))];
}

async function findPeopleOfChannel(
  db: Database,
  { channelId, newest, callerId }: Search,
  key: string,
): Promise<MentionCandidate[]> {
  const authors = await db
    .selectFrom('visible_comments')
    .select(({ fn }) => [
      'account_id',
      fn.max('number').as('newest'),
      fn.max('created_at_ms').as('created_at_ms'),
    ])
    .where('channel_id', '=', channelId)
    .where('number', '>', newest - newestNumbers)
    .where('account_id', '!=', callerId)
    .groupBy('account_id')
    .orderBy('newest', 'desc')
    .execute();
  const people: MentionCandidate[] = [];
  // This is not one query with a join, because PostgreSQL would read all accounts for it.
  for (let start = 0; start < authors.length; start += authorsAtOnce) {
    const some = authors.slice(start, start + authorsAtOnce);
    const ids = some.map(({ account_id }) => account_id);
    const rows = await selectNamed(db, key)
      .where('accounts.id', 'in', ids)
      .select(['accounts.id', 'accounts.name', 'accounts.img'])
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { account_id, created_at_ms } of some) {
      const one = byId.get(account_id);
      if (!one) continue;
      people.push({ ...one, img: one.img ?? '', lastCommentAt: toInstant(created_at_ms) });
      if (people.length === limits.mentionCandidates) return people;
    }
  }
  return people;
}

/** Selects accounts that are neither disabled nor hidden and whose name key begins with `key`. */
function selectNamed(db: Database, key: string) {
  return (
    db
      .selectFrom('accounts')
      .where('accounts.disabled_at_ms', 'is', null)
      .where('accounts.hidden_by', 'is', null)
      .where('accounts.name_key', '>=', key)
      // The highest code point sorts after any continuation of the prefix.
      .where('accounts.name_key', '<', `${key}\u{10ffff}`)
  );
}
