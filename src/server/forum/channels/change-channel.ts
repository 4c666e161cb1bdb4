import type { Selectable, Updateable } from 'kysely';
import type { Channel } from '../../../shared/channels.ts';
import { limits } from '../../../shared/limits.ts';
import { refuseOtherSites } from '../../accounts/standing/approval.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { countText } from '../../http/limits/daily-text.ts';
import { requireRevision } from '../../http/revisions.ts';
import { requireImages } from '../../images/image-queries.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { indexChannel } from '../../search-index/index-channel.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import { findSurplus, keepsVersion } from '../comments/keep-version.ts';
import { lockChannel } from '../comments/stored-comments.ts';
import { watchEdit } from '../pending/watched-edits.ts';
import { hasLeftTrash, isInTrash, isVisible, type Visibility } from '../visible-rows.ts';
import { type ChannelServices, type NewChannelRow, requireChannel } from './channel-queries.ts';

/**
 * Replaces the given parts of the caller's channel. If the channel already has them, nothing changes, whatever the
 * revision, so that a client whose response was lost can retry.
 * @returns the channel without comments
 * @throws ApiError `channel_not_found`, `not_yours`, `revision_required`, `edit_conflict`; `edit_expired` for a new
 * name after the editing period; `invalid_fields` for a cover that cannot be used
 */
export function editChannel(
  services: ChannelServices,
  callerId: string,
  channelId: string,
  ifMatch: string | undefined,
  parts: Partial<NewChannelRow>,
): Promise<Channel> {
  return changeChannel(services, callerId, channelId, async (trx, current, nowMs) => {
    const isUnchanged = isSame(current, parts);
    requireRevision(ifMatch, current, isUnchanged);
    if (isUnchanged) return;
    await countText(trx, callerId, contentOf({ ...current, ...parts }), nowMs);
    const ageMs = nowMs - current.created_at_ms;
    if ((parts.name ?? current.name) !== current.name && ageMs >= limits.editHours * 3_600_000) {
      const detail = `El nombre del canal solo se podía cambiar durante las primeras ${limits.editHours} horas. La descripción y la portada sí se pueden cambiar.`;
      throw new ApiError('edit_expired', { detail });
    }
    if (parts.cover !== undefined && parts.cover !== current.cover) {
      await requireImages(trx, { accountId: callerId, use: 'cover' }, [parts.cover], nowMs);
      await refuseOtherSites(trx, callerId, { field: 'cover', url: parts.cover });
    }
    const { revision } = current;
    const removed = await replaceVersion(trx, current, nowMs);
    const isUnmarked = ageMs < limits.unmarkedEditMinutes * 60_000 && current.comment_count === 0;
    await update(trx, channelId, {
      ...parts,
      revision: revision + 1,
      ...(isUnmarked ? {} : { edited_at_ms: nowMs }),
    });
    await markForSweep(trx, removed);
    await indexChannel(trx, channelId);
    const change = {
      before: contentOf(current),
      after: contentOf({ ...current, ...parts }),
      revision: revision + 1,
    };
    await watchEdit(trx, { kind: 'channel', id: channelId }, callerId, change, nowMs);
  });
}

/**
 * Stores the current content as a version, unless it belongs to the newest one.
 * @returns the URL of a cover that is in no version any more
 */
async function replaceVersion(trx: Database, current: ChannelRow, nowMs: number) {
  const { id, account_id: authorId, name, description, cover, cover_alt, revision } = current;
  const edited = { channelId: id, authorId };
  if (!(await keepsVersion(trx, edited, nowMs))) return [cover];
  const version = { channel_id: id, revision, name, description, cover, cover_alt };
  await trx
    .insertInto('channel_versions')
    .values({ ...version, replaced_at_ms: nowMs })
    .execute();
  const surplus = await findSurplus(trx, edited);
  if (surplus === undefined) return [];
  const erased = await trx
    .deleteFrom('channel_versions')
    .where('channel_id', '=', id)
    .where('revision', '=', surplus)
    .returning('cover')
    .execute();
  return erased.map((row) => row.cover);
}

const contentOf = ({ name, description, cover, cover_alt }: NewChannelRow) => ({
  text: toStoredText(`${name}\n\n${description}`),
  images: [{ url: cover, alt: cover_alt }],
});

/**
 * Closes the caller's channel, so that it accepts no comments, or reopens it.
 * @returns the channel without comments @throws ApiError `channel_not_found`, `not_yours`
 */
export function setClosed(
  services: ChannelServices,
  callerId: string,
  channelId: string,
  isClosed: boolean,
): Promise<Channel> {
  return changeChannel(services, callerId, channelId, async (trx, current, nowMs) => {
    if (isClosed === (current.closed_at_ms !== null)) return;
    await update(trx, channelId, { closed_at_ms: isClosed ? nowMs : null });
  });
}

/**
 * Moves the caller's channel to their trash. Does nothing if it is already there.
 * @throws ApiError `channel_not_found`, `not_yours`; `channel_in_use` when another person has commented in it, even if
 * the comment is hidden, since a moderator may show it again
 */
export async function deleteChannel(
  services: ChannelServices,
  callerId: string,
  channelId: string,
): Promise<void> {
  await lockedChannel(services, undefined, channelId, async (trx, current, nowMs) => {
    if (isInTrash(current) && current.account_id === callerId) return;
    await requireAuthor(trx, current, callerId);
    const foreign = await trx
      .selectFrom('comments')
      .select('number')
      .where('channel_id', '=', channelId)
      .where('account_id', '<>', callerId)
      .where('deleted_at_ms', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (foreign) throw new ApiError('channel_in_use');
    await setChannelVisibility(trx, current, { deleted_at_ms: nowMs });
  });
}

/**
 * Restores a channel from the caller's trash. Does nothing if it is visible.
 * @returns the channel without comments
 * @throws ApiError `channel_not_found`, `not_yours`; `not_restorable` when it was deleted too long ago or is hidden by
 * a moderator
 */
export function restoreChannel(
  services: ChannelServices,
  callerId: string,
  channelId: string,
): Promise<Channel> {
  return lockedChannel(services, callerId, channelId, async (trx, current, nowMs) => {
    if (isVisible(current) || current.account_id !== callerId) {
      await requireAuthor(trx, current, callerId);
    } else {
      if (!isInTrash(current) || hasLeftTrash(current, nowMs)) throw new ApiError('not_restorable');
      await setChannelVisibility(trx, current, { deleted_at_ms: null });
    }
    return requireChannel(trx, channelId, 0);
  });
}

type ChannelRow = Selectable<Tables['channels']>;

/** Runs `work` on the caller's visible channel. @returns the changed channel without comments */
function changeChannel(
  services: ChannelServices,
  callerId: string,
  channelId: string,
  work: (trx: Database, current: ChannelRow, nowMs: number) => Promise<void>,
): Promise<Channel> {
  return lockedChannel(services, callerId, channelId, async (trx, current, nowMs) => {
    await requireAuthor(trx, current, callerId);
    await work(trx, current, nowMs);
    return requireChannel(trx, channelId, 0);
  });
}

/**
 * Runs `work` in a transaction that has locked the channel's row, and announces the change.
 * @param writerId the account that publishes something
 * @throws ApiError `channel_not_found`; errors of `requireWriter`
 */
async function lockedChannel<T>(
  { withTransaction, now }: ChannelServices,
  writerId: string | undefined,
  channelId: string,
  work: (trx: Database, current: ChannelRow, nowMs: number) => Promise<T>,
): Promise<T> {
  return withTransaction(`channel ${channelId}`, async (trx, announce) => {
    if (writerId !== undefined) await requireWriter(trx, writerId, now());
    const current = await lockChannel(trx, channelId);
    if (!current) throw new ApiError('channel_not_found');
    const value = await work(trx, current, now());
    await announce({ kind: 'channel', channelId });
    return value;
  });
}

/** @throws ApiError `channel_not_found` when it is not visible; `not_yours` */
async function requireAuthor(trx: Database, channel: ChannelRow, callerId: string): Promise<void> {
  if (!isVisible(channel)) throw new ApiError('channel_not_found');
  if (channel.account_id === callerId) return;
  // The channel is not found when its author is hidden.
  await requireChannel(trx, channel.id, 0);
  throw new ApiError('not_yours', { detail: 'Este canal lo creó otra persona.' });
}

function isSame(current: ChannelRow, parts: Partial<NewChannelRow>): boolean {
  return Object.entries(parts).every(
    ([column, value]) => current[column as keyof NewChannelRow] === value,
  );
}

/** Deletes, restores, hides or shows a channel. Call `lockChannel` first, and announce the change afterwards. */
export async function setChannelVisibility(
  trx: Database,
  { id }: ChannelRow,
  visibility: Partial<Visibility>,
): Promise<void> {
  await update(trx, id, visibility);
}

async function update(
  trx: Database,
  channelId: string,
  values: Updateable<Tables['channels']>,
): Promise<void> {
  await trx.updateTable('channels').set(values).where('id', '=', channelId).execute();
}
