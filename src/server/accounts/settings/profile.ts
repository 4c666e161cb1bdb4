import type { Profile, User } from '../../../shared/accounts.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { requireImages } from '../../images/image-queries.ts';
import { readDeletion } from '../deletion/deletion-request.ts';
import { requireWriter } from '../open-account.ts';
import { refuseOtherSites } from '../shown-accounts.ts';

export async function readProfile(db: Database, user: User): Promise<Profile> {
  const { count } = await db
    .selectFrom('visible_channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', user.id)
    .executeTakeFirstOrThrow();
  return { ...user, channelCount: count, deletion: await readDeletion(db, user.id) };
}

/**
 * Changes the avatar of the account, which its channels and comments show. The current one is valid too.
 * @throws ApiError `invalid_fields` when the account has not uploaded the image as avatar; those of `requireWriter`
 */
export async function updateAvatar(
  { transact }: { transact: Transact },
  id: string,
  img: string | null,
  nowMs: number,
): Promise<void> {
  await transact(`account ${id}`, async (trx, announce) => {
    await requireWriter(trx, id, nowMs);
    const current = await trx
      .selectFrom('accounts')
      .select('img')
      .where('id', '=', id)
      .executeTakeFirst();
    if (img && img !== current?.img) {
      await requireImages(trx, { accountId: id, use: 'avatar' }, [img], nowMs);
      await refuseOtherSites(trx, id, { field: 'img', url: img });
    }
    await trx.updateTable('accounts').set({ img }).where('id', '=', id).execute();
    await announce({ kind: 'profile', accountId: id });
  });
}
