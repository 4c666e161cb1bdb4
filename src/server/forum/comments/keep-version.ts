import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type CommentKey, commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { Database } from '../../database/tables.ts';

/** Maximum number of versions of a comment or channel. */
export const maxVersions = 50;
/** Edits within this time after a version was stored belong to it, and store none. */
const mergedMs = limits.unmarkedEditMinutes * 60_000;

/** A comment or channel whose row is locked. */
export interface Versioned {
  channelId: string;
  /** Undefined for the channel itself. */
  number?: number;
  authorId: string;
}

/**
 * Whether an edit stores as a version the text that it replaces: it does while the text is reported, since later reports may
 * be about any of its states.
 */
export async function keepsVersion(
  trx: Database,
  edited: Versioned,
  nowMs: number,
): Promise<boolean> {
  const newest = await selectVersions(trx, edited)
    .select('replaced_at_ms')
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  const ageMs = newest ? nowMs - newest.replaced_at_ms : mergedMs;
  // A negative age is of a clock that was ahead.
  if (ageMs < 0 || ageMs >= mergedMs) return true;
  return (await findReported(trx, edited)) !== undefined;
}

/**
 * Finds the version to erase after another one was stored: the oldest one beyond the maximum, but neither the first nor
 * the one with an open case.
 * @returns its revision
 */
export async function findSurplus(trx: Database, edited: Versioned): Promise<number | undefined> {
  const versions = await selectVersions(trx, edited)
    .select('revision')
    .orderBy('revision')
    .limit(maxVersions + 1)
    .execute();
  if (versions.length <= maxVersions) return undefined;
  const reported = await findReported(trx, edited);
  return versions.slice(1).find(({ revision }) => revision !== reported)?.revision;
}

/**
 * Deletes the versions of a comment that meet a condition, and by a foreign key their images. @returns the URLs of these
 * images
 */
export async function deleteVersions(
  trx: Database,
  key: CommentKey,
  condition: RawBuilder<SqlBool>,
): Promise<string[]> {
  const isOfComment = sql<SqlBool>`channel_id = ${key.channelId} and number = ${key.number}`;
  const images = await trx
    .selectFrom('comment_version_images')
    .select('url')
    .where(isOfComment)
    .where('revision', 'in', (eb) =>
      eb.selectFrom('comment_versions').select('revision').where(isOfComment).where(condition),
    )
    .execute();
  await trx.deleteFrom('comment_versions').where(isOfComment).where(condition).execute();
  return images.map(({ url }) => url);
}

function selectVersions(trx: Database, { channelId, number }: Versioned) {
  const table = number === undefined ? 'channel_versions' : 'comment_versions';
  return trx
    .selectFrom(table as 'channel_versions')
    .where('channel_id', '=', channelId)
    .$if(number !== undefined, (query) => query.where(sql.ref('number'), '=', number));
}

/** The revision that the open case about the comment or channel began with. */
async function findReported(trx: Database, { channelId, number, authorId }: Versioned) {
  const open = await trx
    .selectFrom('cases')
    .select('revision')
    .where('subject_kind', '=', number === undefined ? 'channel' : 'comment')
    .where('subject_id', '=', number === undefined ? channelId : commentId(channelId, number))
    .where('account_id', '=', authorId)
    .where('decided_at_ms', 'is', null)
    .executeTakeFirst();
  return open?.revision;
}
