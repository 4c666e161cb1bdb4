import { sql } from 'kysely';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { CommentVersions } from '../../../shared/moderation.ts';
import type { Actor } from '../../accounts/actor.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { maxVersions } from '../../forum/comments/keep-version.ts';
import { findStored } from '../../forum/comments/stored-comments.ts';
import { ApiError } from '../../http/api-error.ts';
import { withSignedUrls } from '../../images/signed-urls.ts';
import { findNames } from '../../texts/mention-names.ts';
import { toPlainText } from '../../texts/stored-text.ts';

/**
 * @returns the earlier texts and images of a comment, oldest first, and the current ones, even if it is hidden or
 * deleted
 * @throws ApiError `comment_not_found`
 */
export async function listVersions(
  { db, now }: Pick<Actor, 'db' | 'now'>,
  key: CommentKey,
): Promise<CommentVersions> {
  const current = await findStored(db, key);
  if (!current) throw new ApiError('comment_not_found');
  const earlier = await db
    .selectFrom('comment_versions')
    .select(['revision', 'text', 'replaced_at_ms'])
    .where('channel_id', '=', key.channelId)
    .where('number', '=', key.number)
    .orderBy('revision', 'desc')
    .limit(maxVersions)
    .execute();
  const versions = [...earlier.reverse(), { ...current, replaced_at_ms: null }];
  const names = await findNames(
    db,
    versions.map(({ text }) => text),
  );
  const images = (await readImages(db, key, versions[0]?.revision ?? 0)).sort(
    (one, other) => one.position - other.position,
  );
  const data = versions.map(({ revision, text, replaced_at_ms }) => ({
    revision,
    text: toPlainText(text, names),
    images: images
      .filter((one) => one.revision === (replaced_at_ms === null ? null : revision))
      .map(({ url, alt }) => ({ url, alt })),
    until: replaced_at_ms === null ? null : toInstant(replaced_at_ms),
  }));
  return { data: await withSignedUrls(db, data, now()) };
}

/** Images of the versions from the first revision on; `revision` is null for the current one. */
function readImages(db: Database, { channelId, number }: CommentKey, first: number) {
  const current = db
    .selectFrom('comment_images')
    .select(['url', 'alt', 'position', sql<number | null>`cast(null as integer)`.as('revision')])
    .where('channel_id', '=', channelId)
    .where('number', '=', number);
  const earlier = db
    .selectFrom('comment_version_images')
    .select(['url', 'alt', 'position', 'revision'])
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .where('revision', '>=', first);
  return current.unionAll(earlier).execute();
}
