import { type SqlBool, sql } from 'kysely';
import type { Actor } from '../accounts/actor.ts';
import { tryWithLock } from '../database/locks/locks.ts';
import type { Database } from '../database/tables.ts';
import { eraseChannel } from '../forum/channels/erase-channels.ts';
import { ApiError } from '../http/api-error.ts';
import { markForErasure } from '../moderation/erasure/erase-content.ts';
import type { DatabaseSettings } from '../system/settings/config.ts';

/**
 * Erases a chat that moved in: its channel with everything in it, and its people. Housekeeping goes on after an
 * interruption.
 * @throws ApiError `import_not_found`; `import_running`; `others_wrote` when somebody else wrote there or claimed their words
 */
export async function undoImport(
  actor: Actor & { config: DatabaseSettings },
  channelId: string,
): Promise<void> {
  const undone = await tryWithLock(
    actor,
    async () => {
      if (!(await isImported(actor.db, channelId))) throw new ApiError('import_not_found');
      // From here on nobody writes in it.
      await markForErasure(actor, { kind: 'channel', channelId }, async (trx) => {
        if (await hasOthers(trx, channelId)) throw new ApiError('others_wrote');
      });
      return true;
    },
    'import',
  );
  if (!undone) throw new ApiError('import_running');
  await eraseChannel(actor.db, channelId);
}

async function isImported(db: Database, channelId: string): Promise<boolean> {
  const row = await db
    .selectFrom('imports')
    .innerJoin('channels', 'channels.id', 'channel_id')
    .select('channel_id')
    .where('channel_id', '=', channelId)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether words were claimed, or the channel has a comment that is not an imported person's. */
async function hasOthers(db: Database, channelId: string): Promise<boolean> {
  const claimed = await db
    .selectFrom('imported_people')
    .select('account_id')
    .where('channel_id', '=', channelId)
    .where('claimed_by', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (claimed) return true;
  const row = await db
    .selectFrom('comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where(sql<SqlBool>`account_id is distinct from person_id`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
