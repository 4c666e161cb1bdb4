import type { Database } from '../database/tables.ts';
import { makePushKeys, type PushKeys } from './web-push.ts';

/**
 * The site's keys for push services, made on first use. They are excluded from backups, as are the subscriptions, each
 * of which is valid with the keys that it was made with only.
 */
export async function pushKeys(db: Database): Promise<PushKeys> {
  const find = () =>
    db
      .selectFrom('push_keys')
      .select(['public_key as publicKey', 'private_key as privateKey'])
      .where('id', '=', 1)
      .executeTakeFirst();
  const known = await find();
  if (known) return known;
  const { publicKey, privateKey } = await makePushKeys();
  await db
    .insertInto('push_keys')
    .values({ id: 1, public_key: publicKey, private_key: privateKey })
    // The first of several processes wins.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await find();
  if (!made) throw new Error('there are no keys for push services');
  return made;
}
