import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { commentId } from '../../../shared/comment-id.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import type { Content } from '../decisions/locked-content.ts';

/** Cases erased per transaction, each with its reports. */
const batchSize = 50;

/** Erases cases decided before this time, with their reports. An interrupted call can be repeated. */
export async function eraseDecidedCases(
  services: { withTransaction: WithTransaction },
  beforeMs: number,
): Promise<void> {
  const erased = await services.withTransaction('cases', async (trx) => {
    const oldest = trx
      .selectFrom('cases')
      .select('id')
      .where('decided_at_ms', '<=', beforeMs)
      .orderBy('decided_at_ms')
      .limit(batchSize);
    // Locks the cases, without those whose decision was undone in the meantime.
    const cases = await trx
      .updateTable('cases')
      .set({ text: toStoredText('') })
      .where('id', 'in', oldest)
      .where('decided_at_ms', '<=', beforeMs)
      .returning('id')
      .execute();
    if (cases.length === 0) return 0;
    const ids = cases.map(({ id }) => id);
    await trx.deleteFrom('reports').where('case_id', 'in', ids).execute();
    const ofCases = trx.deleteFrom('case_images').where('case_id', 'in', ids);
    const images = await ofCases.returning('url').execute();
    await trx.deleteFrom('cases').where('id', 'in', ids).execute();
    await markForSweep(
      trx,
      images.map(({ url }) => url),
    );
    return ids.length;
  });
  if (erased < batchSize) return;
  await yieldToEventLoop();
  await eraseDecidedCases(services, beforeMs);
}

/**
 * Lets the next sweep erase the images of cases about content that an operator erases, also those that the content no
 * longer has. Call it after the content was marked for erasure.
 */
export async function eraseCaseImages(trx: Database, content: Content): Promise<void> {
  const { channelId } = content;
  // The ids of a channel's comments are its own, a hyphen and a number; the dot follows the hyphen.
  const isAbout =
    content.kind === 'comment'
      ? sql<SqlBool>`subject_id = ${commentId(channelId, content.number)}`
      : sql<SqlBool>`(subject_id = ${channelId}
          or subject_id > ${`${channelId}-`} and subject_id < ${`${channelId}.`})`;
  const images = await trx
    .deleteFrom('case_images')
    .where('case_id', 'in', trx.selectFrom('cases').select('id').where(isAbout))
    .returning('url')
    .execute();
  await markForSweep(
    trx,
    images.map(({ url }) => url),
  );
}

/**
 * Removes an account's role, and erases its appeals, its identity and texts in its reports, and the reasons of
 * decisions that concern nobody else. Reports about the account stay as long as any report. Run it before the account's
 * rows are deleted.
 */
export async function eraseModerationOf(
  services: { withTransaction: WithTransaction },
  accountId: string,
): Promise<void> {
  await services.withTransaction(`account ${accountId}`, async (trx) => {
    // Locks the account's row first, as decisions about the account do.
    await trx.updateTable('accounts').set({ role: 'member' }).where('id', '=', accountId).execute();
    await trx
      .updateTable('reports')
      .set((eb) => ({
        account_id: null,
        reporter_key: eb.ref('id'),
        text: '',
        name: '',
        email: '',
      }))
      .where('account_id', '=', accountId)
      .execute();
    await trx.deleteFrom('appeals').where('account_id', '=', accountId).execute();
    await trx
      .updateTable('decisions')
      .set({ reason: '' })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('decision_accounts')
          .select('decision_id')
          .where('account_id', '=', accountId),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('decision_accounts')
              .select('account_id')
              .whereRef('decision_id', '=', 'decisions.id')
              .where('account_id', '<>', accountId),
          ),
        ),
      )
      .execute();
  });
}
