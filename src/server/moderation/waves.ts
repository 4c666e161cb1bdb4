import { setTimeout as delay } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { commentId } from '../../shared/comment-id.ts';
import { limits } from '../../shared/limits.ts';
import { recordChanges } from '../comments/numbered-changes.ts';
import { lockChannel, setVisibility } from '../comments/stored-comments.ts';
import { isPostgres } from '../database/is-postgres.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { isNotMarkedForErasure, isVisibleRow, type Visibility } from '../database/visible-rows.ts';
import { throwAny } from '../despite-errors.ts';
import { lockContent, setHidden } from './content.ts';
import { inForce } from './in-force.ts';

/*
 * A wave hides all content of accounts. Its decision sets `accounts.hidden_by`, and `work` for each of them; the
 * content follows in small transactions, so that other requests run in between. Each of them locks the accounts
 * and acts only while they are still hidden by the wave, so any process can repeat it at any time.
 */

interface WaveServices {
  db: Database;
  transact: Transact;
  now: () => number;
  stopping?: AbortSignal;
}

/** Comments that one transaction changes. */
const batchSize = 20;
/** Comments, and channels, that are found at once: the newest of all accounts of the wave. */
const foundItems = 200;
/** Thanks that one transaction counts, and that are found at once. Finding them reads all thanks of the accounts. */
const thanksBatchSize = 100;
const foundThanks = 20_000;

/** What the decision with this id still has to do with the content of accounts. */
interface Wave {
  id: string;
  work: 'hide' | 'show';
  accountIds: string[];
}

interface Item {
  channelId: string;
  accountId: string;
  /** Undefined for the channel itself. */
  number?: number;
}

/**
 * Goes on with all waves, the newest first. One that fails stops none of the others.
 * @param maxMs how long; by default until nothing remains, with rests in which other requests run
 * @returns whether nothing remains
 * @throws after all other waves
 */
export async function continueWaves(
  services: WaveServices,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { db, stopping } = services;
  const endMs = performance.now() + maxMs;
  const failed: string[] = [];
  const errors: unknown[] = [];
  while (!isOver({ endMs, stopping })) {
    const wave = await findWave(db, failed);
    if (!wave) {
      throwAny(errors);
      return true;
    }
    try {
      const items = await findItems(db, wave);
      const thanks = items.length > 0 ? [] : await findThanks(db, wave.accountIds);
      if (items.length > 0) {
        await inBatches(items, { size: batchSize, endMs, stopping }, (channelId, batch) =>
          hideOrShow(services, wave, channelId, batch),
        );
      } else if (thanks.length > 0) {
        await inBatches(thanks, { size: thanksBatchSize, endMs, stopping }, (channelId, batch) =>
          recountThanks(services, channelId, batch),
        );
      } else {
        await finish(services, wave);
      }
    } catch (error) {
      failed.push(wave.id);
      errors.push(error);
    }
  }
  throwAny(errors);
  return false;
}

interface End {
  endMs: number;
  stopping: AbortSignal | undefined;
}

const isOver = ({ endMs, stopping }: End) => stopping?.aborted || performance.now() >= endMs;

async function findWave(db: Database, failed: string[]): Promise<Wave | undefined> {
  const waiting = await db
    .selectFrom('decision_accounts')
    .select(['decision_id', 'account_id', 'work'])
    .where('work', 'is not', null)
    .$if(failed.length > 0, (query) => query.where('decision_id', 'not in', failed))
    .orderBy('decision_id', 'desc')
    .limit(limits.waveAccounts)
    .execute();
  const [next] = waiting;
  if (!next?.work) return undefined;
  const { decision_id: id, work } = next;
  const rows = waiting.filter((one) => one.decision_id === id && one.work === work);
  return { id, work, accountIds: rows.map(({ account_id }) => account_id) };
}

async function finish({ transact }: WaveServices, { id, work, accountIds }: Wave): Promise<void> {
  await transact(`decision ${id}`, async (trx, announce) => {
    await trx
      .updateTable('decision_accounts')
      .set({ work: null })
      .where('decision_id', '=', id)
      .where('account_id', 'in', accountIds)
      .where('work', '=', work)
      .execute();
    // People are hidden or shown too. Caches drop everything, whoever of them is named.
    await announce({ kind: 'profile', accountId: accountIds[0] ?? '' });
  });
}

/** The ids of comments and channels that moderators restored after a wave began. */
const findRestored = (db: Database, waveId: string, accountIds: string[]) =>
  inForce(db, accountIds)
    .clearSelect()
    .select('subject_id')
    .where('decision_id', '>', waveId)
    .where('action', '=', 'restore');

/** Content that a wave still has to hide or to show; none of accounts that it does not hide any more. */
async function findItems(
  db: Database,
  { id: decisionId, work, accountIds }: Wave,
): Promise<Item[]> {
  const accounts = db
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', accountIds)
    .$if(work === 'hide', (query) => query.where('hidden_by', '=', decisionId));
  const restored = findRestored(db, decisionId, accountIds);
  const channels = await db
    .selectFrom('channels')
    .select(['id as channelId', 'account_id as accountId'])
    .where('account_id', 'in', accounts)
    .where(isNotMarkedForErasure)
    .$if(work === 'hide', (query) =>
      query.where('hidden_at_ms', 'is', null).where('id', 'not in', restored),
    )
    .$if(work === 'show', (query) => query.where('hidden_by', '=', decisionId))
    .limit(foundItems)
    .execute();
  const comments = db
    .selectFrom('comments')
    .select(['channel_id as channelId', 'account_id as accountId', 'number'])
    .where('account_id', 'in', accounts)
    .$if(work === 'hide', (query) =>
      query.where(sql<string>`channel_id || '-' || number`, 'not in', restored),
    )
    .limit(foundItems);
  if (work === 'show') {
    const hidden = comments.where('hidden_by', '=', decisionId).where(isNotMarkedForErasure);
    return [...channels, ...(await hidden.execute())];
  }
  const visible = await comments.where(isVisibleRow).orderBy('created_at_ms', 'desc').execute();
  const inBin = comments
    .where('hidden_at_ms', 'is', null)
    .where('deleted_at_ms', 'is not', null)
    .where(isNotMarkedForErasure);
  return [...channels, ...visible, ...(visible.length > 0 ? [] : await inBin.execute())];
}

/** Thanks of accounts that are counted although a wave hides the account, or the other way round. */
function findThanks(db: Database, accountIds: string[]) {
  return (
    db
      .selectFrom('comment_thanks')
      .select(['channel_id as channelId', 'account_id as accountId', 'number'])
      .where('account_id', 'in', accountIds)
      .where(isWronglyCounted)
      // All those of a comment are counted together.
      .orderBy('channel_id')
      .orderBy('number')
      .limit(foundThanks)
      .execute()
  );
}

const isWronglyCounted = sql<SqlBool>`
  (is_hidden = 1) <> ((select hidden_by from accounts where accounts.id = account_id) is not null)`;

/**
 * Works on batches of one channel each. Without an end, it rests after each of them for as long as it took: SQLite has one
 * connection, so the queries of others waited.
 * @throws when no batch succeeds; what fails beside others is found again
 */
async function inBatches<One extends { channelId: string }>(
  found: One[],
  { size, ...end }: { size: number } & End,
  work: (channelId: string, batch: One[]) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  let batches = 0;
  for (const [channelId, ofChannel] of Map.groupBy(found, (one) => one.channelId)) {
    for (let from = 0; from < ofChannel.length; from += size) {
      if (isOver(end)) return;
      const startMs = performance.now();
      batches++;
      await work(channelId, ofChannel.slice(from, from + size)).catch((error) =>
        errors.push(error),
      );
      await delay(end.endMs === Infinity ? performance.now() - startMs : 0);
    }
  }
  if (errors.length === batches) throwAny(errors);
}

/** Locks accounts, so that a decision that begins or ends a wave waits for the transaction. */
function lockHidden(trx: Database, accountIds: string[]) {
  const query = trx
    .selectFrom('accounts')
    .select(['id', 'hidden_by'])
    .where('id', 'in', [...new Set(accountIds)])
    .orderBy('id');
  return (isPostgres(trx) ? query.forShare() : query).execute();
}

async function hideOrShow(
  { transact, now }: WaveServices,
  { id: decisionId, work }: Wave,
  channelId: string,
  batch: Item[],
): Promise<void> {
  await transact(`channel ${channelId}`, async (trx, announce) => {
    const nowMs = now();
    const accounts = await lockHidden(
      trx,
      batch.map(({ accountId }) => accountId),
    );
    const hidingWaves = new Map(accounts.map(({ id, hidden_by }) => [id, hidden_by]));
    const restored = await findRestored(trx, decisionId, [...hidingWaves.keys()]).execute();
    const isRestored = (id: string) => restored.some(({ subject_id }) => subject_id === id);
    const waveOf = (row: { account_id: string }) => hidingWaves.get(row.account_id) ?? null;
    const isDue = (row: { account_id: string } & Omit<Visibility, 'deleted_at_ms'>, id: string) =>
      work === 'hide'
        ? row.hidden_at_ms === null && waveOf(row) === decisionId && !isRestored(id)
        : row.hidden_by === decisionId && waveOf(row) !== decisionId;
    const channel = await lockContent(trx, { kind: 'channel', channelId });
    if (
      channel &&
      batch.some(({ number }) => number === undefined) &&
      isDue(channel.row, channelId)
    )
      await setHidden(trx, announce, channel, waveOf(channel.row), nowMs);
    const numbers = batch.flatMap(({ number }) => number ?? []);
    if (numbers.length === 0) return;
    const rows = await trx
      .selectFrom('comments')
      .selectAll()
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      .where(isNotMarkedForErasure)
      .execute();
    // Shown content of an account that another wave hides now becomes part of that one.
    const due = rows.filter((row) => isDue(row, commentId(channelId, row.number)));
    for (const [hidden_by, [first, ...others]] of Map.groupBy(due, waveOf)) {
      if (!first) continue;
      const visibility = { hidden_at_ms: hidden_by === null ? null : nowMs, hidden_by };
      await setVisibility(trx, announce, [first, ...others], visibility, nowMs);
    }
    await announce({ kind: 'channel', channelId });
  });
}

/** Counts thanks, or stops counting them. Names are read together with the accounts, so they need no step. */
async function recountThanks(
  { transact, now }: WaveServices,
  channelId: string,
  thanks: { accountId: string; number: number }[],
): Promise<void> {
  await transact(`channel ${channelId}`, async (trx, announce) => {
    const accountIds = thanks.map(({ accountId }) => accountId);
    await lockHidden(trx, accountIds);
    await lockChannel(trx, channelId);
    const [first = 0, ...others] = new Set(thanks.map(({ number }) => number));
    const numbers: [number, ...number[]] = [first, ...others];
    await recordChanges(trx, announce, channelId, numbers, now());
    const changed = await trx
      .updateTable('comment_thanks')
      .set({ is_hidden: sql`1 - is_hidden` })
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      .where('account_id', 'in', accountIds)
      .where(isWronglyCounted)
      .returning(['number', 'is_hidden'])
      .execute();
    for (const [number, ofComment] of Map.groupBy(changed, (one) => one.number)) {
      const hidden = ofComment.filter(({ is_hidden }) => is_hidden === 1).length;
      await trx
        .updateTable('comments')
        .set((eb) => ({ thanks_count: eb('thanks_count', '+', ofComment.length - 2 * hidden) }))
        .where('channel_id', '=', channelId)
        .where('number', '=', number)
        .execute();
    }
    await announce({ kind: 'channel', channelId });
  });
}
