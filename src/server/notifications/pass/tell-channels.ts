import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Follow } from '../../../shared/notifications.ts';
import { isMember } from '../../accounts/standing/members.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { levelOf, settingsInForce } from '../../site-settings/site-settings.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { dayMs } from '../../system/times.ts';

/** Time for a comment to be read on an open page, or to be deleted again. */
const commentWaitMs = 20_000;
/** Time for a channel to be completed, or to be hidden. */
const channelWaitMs = 10 * 60_000;
/** A channel that could not be told for longer, because it was hidden or the server did not run, is not new any more. */
const channelLateMs = 3 * dayMs;

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

/** Accounts per transaction, so that other writes can run in between. */
const batchSize = 5000;

/**
 * Writes the notifications of channels: for those who follow one, that there are comments, and for all members, that
 * there is a new channel. One that fails holds up no other.
 */
export async function tellOfChannels(services: Services): Promise<void> {
  const { db } = services;
  const fresh = await db
    .selectFrom('channels')
    .select(['id', 'account_id'])
    // A chat that moved in is older than its channel.
    .select(
      sql<number>`coalesce((select changed_at_ms from imports where channel_id = channels.id), created_at_ms)`.as(
        'created_at_ms',
      ),
    )
    .where('is_told', '=', 0)
    .execute();
  // Comments of a hidden channel wait until it is shown again.
  const active = await db
    .selectFrom('channels')
    .select(['id', 'told_number'])
    .whereRef('last_comment_number', '>', 'told_number')
    .where('id', 'in', db.selectFrom('visible_channels').select('id'))
    .execute();
  if (fresh.length + active.length === 0) return;
  const community = levelOf(await settingsInForce(db));
  await forEachDespiteErrors(
    [
      ...fresh.map((channel) => () => tellOfNew(services, channel)),
      ...active.map((channel) => () => tellOfComments(services, channel, community)),
    ],
    (tell) => tell(),
  );
}

type Channel = Pick<Selectable<Tables['channels']>, 'id' | 'account_id' | 'created_at_ms'>;

/** Tells every member but its author, and those who joined later, of a channel that is ten minutes old. */
async function tellOfNew(
  services: Services,
  { id, account_id, created_at_ms }: Channel,
): Promise<void> {
  const { db, withTransaction } = services;
  const nowMs = services.now();
  const ageMs = nowMs - created_at_ms;
  if (ageMs >= 0 && ageMs < channelWaitMs) return;
  const visible = db.selectFrom('visible_channels').select('id').where('id', '=', id);
  if (!(await visible.executeTakeFirst())) return;
  if (ageMs < channelLateMs)
    await tellInBatches(
      services,
      (trx, isInBatch) => sql`
        insert into notifications (account_id, kind, channel_id, actor_id, created_at_ms)
        select accounts.id, 'channel', ${id}, ${account_id}, cast(${nowMs} as bigint) from accounts
        where ${isInBatch} and ${isMember(trx, nowMs)} and accounts.id <> ${account_id}
          and accounts.tells_channels = 1 and accounts.created_at_ms <= ${created_at_ms}
        on conflict do nothing`,
    );
  await withTransaction('notifications', (trx) =>
    trx.updateTable('channels').set({ is_told: 1 }).where('id', '=', id).execute(),
  );
}

/**
 * Tells those who follow a channel of the comments that nobody was told of yet, except who has an unseen notification
 * of earlier ones or of one of them as a reply or mention, has read them, or wrote all of them.
 */
async function tellOfComments(
  services: Services,
  { id, told_number }: Pick<Selectable<Tables['channels']>, 'id' | 'told_number'>,
  community: Follow,
): Promise<void> {
  const { db, withTransaction } = services;
  const nowMs = services.now();
  const writtenAtMs = nowMs - commentWaitMs;
  const { last } = await db
    .selectFrom('comments')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .where('channel_id', '=', id)
    .where('number', '>', told_number)
    // One that was written while the clock was ahead does not wait until that time.
    .where(({ or, eb }) =>
      or([eb('created_at_ms', '<=', writtenAtMs), eb('created_at_ms', '>', nowMs)]),
    )
    .executeTakeFirstOrThrow();
  if (last === null) return;
  // Everybody is told of announcements.
  const visible = db
    .selectFrom('visible_comments')
    .where('channel_id', '=', id)
    .where('is_announcement', '=', 0);
  const writers = await visible
    .select(({ fn }) => ['account_id', fn.min('number').as('first')])
    .select(({ fn }) => fn.max('number').as('newest'))
    .where('number', '>', told_number)
    .where('number', '<=', last)
    .groupBy('account_id')
    .execute();
  const told = await visible
    .select(({ fn }) => fn.max<number | null>('number').as('newest'))
    .where('number', '<=', told_number)
    .executeTakeFirstOrThrow();
  const first = Math.min(...writers.map((one) => one.first));
  const [newest, other] = writers.toSorted((a, b) => b.newest - a.newest);
  if (newest)
    // The lower bound of the number narrows a search in the index of followed channels. A plus sign keeps SQLite from
    // using both bounds in the index of comments, among all rows about the channel.
    await tellInBatches(
      services,
      (trx, isInBatch) => sql`
        insert into notifications (account_id, kind, channel_id, number, created_at_ms)
        select accounts.id, 'comment', ${id},
          case when read.number >= ${first} then read.number + 1 else cast(${first} as integer) end,
          cast(${writtenAtMs} as bigint)
        from accounts left join reading_positions as read
          on read.account_id = accounts.id and read.channel_id = ${id}
        where ${isInBatch} and coalesce(read.level, accounts.follow, ${community}) = 'all'
          and coalesce(read.number, 0) < case accounts.id when ${newest.account_id}
            then cast(${other?.newest ?? 0} as integer) else cast(${newest.newest} as integer) end
          and ${isMember(trx, nowMs)}
          and not exists (select 1 from notifications as unseen
            where unseen.account_id = accounts.id and unseen.kind = 'comment' and unseen.channel_id = ${id}
              and unseen.id > accounts.notifications_seen_id
              and unseen.number > coalesce(read.number, 0)
              and +unseen.number <= cast(${told.newest ?? 0} as integer))
          and accounts.id not in (select answer.account_id from notifications as answer
            join visible_comments as comment on comment.channel_id = ${id} and comment.number = answer.number
            join accounts as answered on answered.id = answer.account_id
            left join reading_positions as answer_read
              on answer_read.account_id = answer.account_id and answer_read.channel_id = ${id}
            where answer.channel_id = ${id}
              and answer.number > ${told_number} and answer.number <= ${last}
              and answer.kind in ('reply', 'mention') and answer.id > answered.notifications_seen_id
              and (answer.by_edit = 1 or answer.number > coalesce(answer_read.number, 0)))
          and (select told_number from channels where id = ${id}) = ${told_number}
        on conflict do nothing`,
    );
  await withTransaction('notifications', (trx) =>
    trx
      .updateTable('channels')
      .set({ told_number: last })
      .where('id', '=', id)
      .where('told_number', '=', told_number)
      .execute(),
  );
}

/**
 * Runs an insert for all accounts, some of them at a time. After an interruption all of it is repeated: unique keys let it
 * add only what is missing.
 */
async function tellInBatches(
  { db, withTransaction }: Services,
  insert: (trx: Database, isInBatch: RawBuilder<SqlBool>) => RawBuilder<unknown>,
): Promise<void> {
  for (let after = ''; ; ) {
    const batch = db.selectFrom('accounts').select('id').where('id', '>', after).orderBy('id');
    const end = await db
      .selectFrom(batch.limit(batchSize).as('batch'))
      .select(({ fn }) => fn.max<string | null>('batch.id').as('id'))
      .executeTakeFirst();
    if (!end?.id) return;
    const isInBatch = sql<SqlBool>`(accounts.id > ${after} and accounts.id <= ${end.id})`;
    await withTransaction('notifications', (trx) => insert(trx, isInBatch).execute(trx));
    after = end.id;
  }
}
