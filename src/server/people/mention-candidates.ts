import { limits } from '../../shared/limits.ts';
import type { MentionCandidate } from '../../shared/people.ts';
import { nameKey } from '../accounts/name-key.ts';
import { type Database, toInstant } from '../database/tables.ts';

/** The people of a channel are the authors of this many of its newest numbers. */
const newestNumbers = 1000;

interface Search {
  channelId: string;
  /** Number of the channel's newest comment. */
  newest: number;
  /** What names begin with, in any case and with any accents. Empty: only people of the channel. */
  prefix: string;
  /** Left out. */
  callerId: string;
}

/**
 * At most `limits.mentionCandidates` people whom a comment may mention: first those who wrote in the
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
  const rows = await selectNamed(db, key)
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('visible_comments')
          .select((of) => [
            'visible_comments.account_id',
            of.fn.max('visible_comments.number').as('number'),
          ])
          .where('visible_comments.channel_id', '=', channelId)
          .where('visible_comments.number', '>', newest - newestNumbers)
          .groupBy('visible_comments.account_id')
          .as('author'),
      (join) => join.onRef('author.account_id', '=', 'accounts.id'),
    )
    .innerJoin('visible_comments', (join) =>
      join
        .on('visible_comments.channel_id', '=', channelId)
        .onRef('visible_comments.number', '=', 'author.number'),
    )
    .where('accounts.id', '!=', callerId)
    .select(['accounts.id', 'accounts.name', 'accounts.img', 'visible_comments.created_at_ms'])
    .orderBy('author.number', 'desc')
    .limit(limits.mentionCandidates)
    .execute();
  return rows.map(({ id, name, img, created_at_ms }) => ({
    id,
    name,
    img: img ?? '',
    lastCommentAt: toInstant(created_at_ms),
  }));
}

/** Accounts that are not disabled and whose name key begins with `key`. */
function selectNamed(db: Database, key: string) {
  return (
    db
      .selectFrom('accounts')
      .where('accounts.disabled_at_ms', 'is', null)
      .where('accounts.name_key', '>=', key)
      // The last code point there is sorts after any continuation of the prefix.
      .where('accounts.name_key', '<', `${key}\u{10ffff}`)
  );
}
