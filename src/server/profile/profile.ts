import type { Profile, User } from '../../shared/accounts.ts';
import { refuseOtherSites } from '../accounts/standing/approval.ts';
import { requireWriter } from '../accounts/standing/restrictions.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { watchEdit } from '../forum/pending/watched-edits.ts';
import { requireImages } from '../images/image-queries.ts';
import { viewableUrl } from '../images/signed-urls.ts';
import { readDeletion } from '../privacy/deletion/deletion-request.ts';
import { toStoredText } from '../texts/stored-text.ts';

/** The account as its owner sees it; the avatar URL expires while visitors may not see the avatar. */
export async function readProfile(db: Database, user: User, nowMs: number): Promise<Profile> {
  const { count } = await db
    .selectFrom('visible_channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', user.id)
    .executeTakeFirstOrThrow();
  const { email_confirmed_at_ms } = await db
    .selectFrom('accounts')
    .select('email_confirmed_at_ms')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const img = user.img && (await viewableUrl(db, user.img, nowMs));
  return {
    ...user,
    img,
    channelCount: count,
    emailConfirmed: email_confirmed_at_ms !== null,
    deletion: await readDeletion(db, user.id),
  };
}

/**
 * Changes the avatar of the account and of its channels and comments. The current one is also accepted.
 * @throws ApiError `invalid_fields` when the account has not uploaded the image as an avatar; errors of `requireWriter`
 */
export async function updateAvatar(
  { withTransaction }: { withTransaction: WithTransaction },
  id: string,
  img: string | null,
  nowMs: number,
): Promise<void> {
  await withTransaction(`account ${id}`, async (trx, announce) => {
    await requireWriter(trx, id, nowMs);
    const current = await trx
      .selectFrom('accounts')
      .select(['name', 'img'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (img && img !== current.img) {
      await requireImages(trx, { accountId: id, use: 'avatar' }, [img], nowMs);
      await refuseOtherSites(trx, id, { field: 'img', url: img });
    }
    await trx.updateTable('accounts').set({ img }).where('id', '=', id).execute();
    await watchProfile(trx, id, current, { ...current, img }, nowMs);
    await announce({ kind: 'profile', accountId: id });
  });
}

type Profiled = Pick<User, 'name' | 'img'>;

/** Lets moderators check a young account's new name or avatar, see `watchEdit`. */
export function watchProfile(
  trx: Database,
  id: string,
  before: Profiled,
  after: Profiled,
  nowMs: number,
): Promise<void> {
  const contentOf = ({ name, img }: Profiled) => ({
    text: toStoredText(name),
    images: img ? [{ url: img, alt: '' }] : [],
  });
  const change = { before: contentOf(before), after: contentOf(after), revision: 0 };
  return watchEdit(trx, { kind: 'user', id }, id, change, nowMs);
}
