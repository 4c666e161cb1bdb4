import type { MentionCandidate } from '../../../shared/people.ts';
import { hasWordFrom, idsByWord, lastCharacter } from '../../accounts/name-words.ts';
import { nameKey } from '../../accounts/names.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import { type Database, toInstant } from '../../database/tables.ts';

const mostCandidates = 8;
/** Authors of this many newest comments of a channel are offered first. */
const newestNumbers = 1000;
/** Authors whose accounts are looked up by one query. */
const authorsAtOnce = 100;

interface Search {
  channelId: string;
  /** Number of the channel's newest comment. */
  newest: number;
  /**
   * Start of any word of a name, ignoring case and accents, with the words that follow; empty to find only authors in
   * the channel.
   */
  prefix: string;
  callerId: string;
}

/**
 * Finds at most `mostCandidates` people whom a comment can mention: first authors in the channel, most recent
 * first; then everyone else by name, with names that start with the prefix before the rest.
 */
export async function findMentionCandidates(
  db: Database,
  search: Search,
): Promise<MentionCandidate[]> {
  const key = nameKey(search.prefix);
  const people = await findPeopleOfChannel(db, search, key);
  if (key === '') return people;
  for (const find of [findByName, findByWord]) {
    const missing = mostCandidates - people.length;
    if (missing === 0) break;
    const known = [search.callerId, ...people.map(({ id }) => id)];
    const others = (await find(db, key)).filter(({ id }) => !known.includes(id));
    const added = others.slice(0, missing);
    people.push(
      ...added.map(({ id, name, img }) => ({ id, name, img: img ?? '', lastCommentAt: null })),
    );
  }
  return people;
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
  // Not a join, because PostgreSQL would read all accounts for it.
  for (let start = 0; start < authors.length; start += authorsAtOnce) {
    const some = authors.slice(start, start + authorsAtOnce);
    const ids = some.map(({ account_id }) => account_id);
    const rows = await selectShown(db).where('accounts.id', 'in', ids).execute();
    const byId = new Map(rows.filter((row) => hasWordFrom(key, row)).map((row) => [row.id, row]));
    for (const { account_id, created_at_ms } of some) {
      const one = byId.get(account_id);
      if (!one) continue;
      const { id, name, img } = one;
      people.push({ id, name, img: img ?? '', lastCommentAt: toInstant(created_at_ms) });
      if (people.length === mostCandidates) return people;
    }
  }
  return people;
}

/**
 * Finds accounts whose name starts with the key, sorted by name: one more than are offered, because the caller may be
 * among them.
 */
function findByName(db: Database, key: string) {
  return selectShown(db)
    .where('accounts.name_key', '>=', key)
    .where('accounts.name_key', '<', key + lastCharacter)
    .where(isListed)
    .orderBy('accounts.name_key')
    .orderBy('accounts.id')
    .limit(mostCandidates + 1)
    .execute();
}

/**
 * Finds accounts with a word in their name that starts with the key, sorted by name. The key's first word is looked up
 * in the index.
 */
async function findByWord(db: Database, key: string) {
  const ids = idsByWord(db, key);
  if (!ids) return [];
  const rows = await selectShown(db)
    .where('accounts.id', 'in', ids)
    .where(isListed)
    .orderBy('accounts.name_key')
    .orderBy('accounts.id')
    .execute();
  return rows.filter((row) => hasWordFrom(key, row));
}

/** Selects accounts that are neither disabled nor hidden. */
function selectShown(db: Database) {
  return db
    .selectFrom('accounts')
    .select(['accounts.id', 'accounts.name', 'accounts.img', 'accounts.name_key'])
    .where('accounts.disabled_at_ms', 'is', null)
    .where('accounts.hidden_by', 'is', null);
}
