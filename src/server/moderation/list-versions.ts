import type { CommentVersions } from '../../shared/moderation.ts';
import { type CommentKey, findStored } from '../comments/stored-comments.ts';
import { findNames } from '../database/mention-names.ts';
import { toPlainText } from '../database/stored-text.ts';
import { toInstant } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import type { Moderator } from './audited.ts';

/**
 * @returns the earlier texts of a comment, oldest first, and its current one; hidden and deleted comments
 * have them too
 * @throws ApiError `comment_not_found`
 */
export async function listVersions(
  { db }: Pick<Moderator, 'db'>,
  key: CommentKey,
): Promise<CommentVersions> {
  const current = await findStored(db, key);
  if (!current) throw new ApiError('comment_not_found');
  const earlier = await db
    .selectFrom('comment_versions')
    .select(['revision', 'text', 'replaced_at_ms'])
    .where('channel_id', '=', key.channelId)
    .where('number', '=', key.number)
    .orderBy('revision')
    .execute();
  const versions = [...earlier, { ...current, replaced_at_ms: null }];
  const names = await findNames(
    db,
    versions.map(({ text }) => text),
  );
  return {
    data: versions.map(({ revision, text, replaced_at_ms }) => ({
      ...{ revision, text: toPlainText(text, names) },
      until: replaced_at_ms === null ? null : toInstant(replaced_at_ms),
    })),
  };
}
