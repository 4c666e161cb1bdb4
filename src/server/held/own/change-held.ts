import { isDeepStrictEqual } from 'node:util';
import type { Held } from '../../../shared/held.ts';
import { requireWriter } from '../../accounts/open-account.ts';
import { refuseOtherSites } from '../../accounts/shown-accounts.ts';
import type { ChannelServices } from '../../channels/channel-queries.ts';
import { checkContent } from '../../comments/comment-content.ts';
import { ApiError } from '../../http/api-error.ts';
import { type Precondition, repeats } from '../../http/revisions.ts';
import { requireImages } from '../../images/image-queries.ts';
import { findHeld, lockHeld, type Post, postOf, setHeldImages, textOf } from '../held-rows.ts';

/**
 * Replaces what waits of the caller. Content that it already has changes nothing, whatever revision the request names.
 * @param parse throws when the content is invalid; called after all other checks
 * @throws ApiError `held_not_found`, also when it was refused; `revision_required`, `edit_conflict`,
 * `invalid_fields`; those of `requireWriter`; what `parse` throws
 */
export function editHeld(
  { transact, now }: ChannelServices,
  callerId: string,
  id: string,
  precondition: Precondition,
  parse: (current: Post) => Post,
): Promise<Held> {
  return transact(`account ${callerId}`, async (trx) => {
    const nowMs = now();
    await requireWriter(trx, callerId, nowMs);
    const row = await lockHeld(trx, callerId, id);
    if (!row || row.rejected_by !== null) throw new ApiError('held_not_found');
    const current = postOf(row);
    const isSame = () => isDeepStrictEqual(parse(current), current);
    if (!precondition.allows(row) && !repeats(isSame)) throw new ApiError('edit_conflict');
    const { kind, content } = parse(current);
    if (!isDeepStrictEqual(content, current.content)) {
      if (kind === 'comment') {
        const before = textOf(current);
        await checkContent(trx, callerId, { ...content, before }, nowMs);
      } else {
        await requireImages(trx, { accountId: callerId, use: 'cover' }, [content.cover], nowMs);
        await refuseOtherSites(trx, callerId, { field: 'cover', url: content.cover });
      }
      const changed = { content: JSON.stringify(content), revision: row.revision + 1 };
      await trx.updateTable('held').set(changed).where('id', '=', id).execute();
      await setHeldImages(trx, id, { kind, content } as Post);
    }
    return (await findHeld(trx, callerId, nowMs, id)) as Held;
  });
}
