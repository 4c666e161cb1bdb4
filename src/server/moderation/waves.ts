import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import type { Arrival, Arrivals } from '../../shared/moderation.ts';
import { findNames } from '../comments/mention-names.ts';
import { lockChannel, setVisibility } from '../comments/stored-comments.ts';
import { isPostgres } from '../database/is-postgres.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { isNotMarkedForErasure, isVisibleRow } from '../database/visible-rows.ts';
import { throwAny } from '../despite-errors.ts';
import { ApiError } from '../http/api-error.ts';
import { FieldParser } from '../http/field-parser.ts';
import { manyTurns, passTurns } from '../overload/pass-turns.ts';
import { beginning, readBeginning } from './beginnings.ts';
import { lockContent, setHidden } from './content.ts';
import { recountThanks } from './hidden-thanks.ts';

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

/** Accounts of a list that are read in one turn of the event loop. */
const listedAtOnce = 50;

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
  const { db, transact, stopping } = services;
  const endMs = performance.now() + maxMs;
  const failed: string[] = [];
  const errors: unknown[] = [];
  while (!stopping?.aborted && performance.now() < endMs) {
    const waiting = await db
      .selectFrom('decision_accounts')
      .select(['decision_id', 'account_id', 'work'])
      .where('work', 'is not', null)
      .$if(failed.length > 0, (query) => query.where('decision_id', 'not in', failed))
      .orderBy('decision_id', 'desc')
      .limit(limits.waveAccounts)
      .execute();
    const [next] = waiting;
    if (!next?.work) {
      throwAny(errors);
      return true;
    }
    const { decision_id, work } = next;
    const ids = waiting
      .filter((one) => one.decision_id === decision_id && one.work === work)
      .map(({ account_id }) => account_id);
    const items = await findItems(db, decision_id, ids, work);
    try {
      const rests = maxMs === Infinity;
      await hideOrShow(services, decision_id, work, { items, rests });
      if (items.length > 0 || (await doStep(rests, () => recountThanks(services, ids)))) continue;
    } catch (error) {
      failed.push(decision_id);
      errors.push(error);
      continue;
    }
    await transact(`decision ${decision_id}`, async (trx, announce) => {
      await trx
        .updateTable('decision_accounts')
        .set({ work: null })
        .where('decision_id', '=', decision_id)
        .where('account_id', 'in', ids)
        .where('work', '=', work)
        .execute();
      // People are hidden or shown too. Caches drop everything, whoever of them is named.
      await announce({ kind: 'profile', accountId: next.account_id });
    });
  }
  throwAny(errors);
  return false;
}

/** Content that a wave still has to hide or to show; none of accounts that it does not hide any more. */
async function findItems(
  db: Database,
  decisionId: string,
  ids: string[],
  work: 'hide' | 'show',
): Promise<Item[]> {
  const accounts = db
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .$if(work === 'hide', (query) => query.where('hidden_by', '=', decisionId));
  // Moderators restored it before an appeal was granted and the wave put in force again.
  const restored = db
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .select('subject_id')
    .where('account_id', 'in', ids)
    .where('replaces', '=', decisionId)
    .where('action', '=', 'restore')
    .where('undone_at_ms', 'is', null);
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

/** @throws when no batch succeeds; what fails beside others is found again */
async function hideOrShow(
  services: WaveServices,
  decisionId: string,
  work: 'hide' | 'show',
  { items, rests }: { items: Item[]; rests: boolean },
): Promise<void> {
  const errors: unknown[] = [];
  let batches = 0;
  for (const [channelId, ofChannel] of Map.groupBy(items, (item) => item.channelId)) {
    for (let from = 0; from < ofChannel.length; from += batchSize) {
      if (services.stopping?.aborted) return;
      const batch = ofChannel.slice(from, from + batchSize);
      batches++;
      const step = () => hideOrShowBatch(services, decisionId, work, { channelId, batch });
      await doStep(rests, step).catch((error) => errors.push(error));
    }
  }
  if (errors.length === batches) throwAny(errors);
}

/** Rests after a step for as long as it took: SQLite has one connection, so the queries of others waited. */
async function doStep<Result>(rests: boolean, step: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  try {
    return await step();
  } finally {
    await delay(rests ? performance.now() - startMs : 0);
  }
}

async function hideOrShowBatch(
  { transact, now }: WaveServices,
  decisionId: string,
  work: 'hide' | 'show',
  { channelId, batch }: { channelId: string; batch: Item[] },
): Promise<void> {
  await transact(`channel ${channelId}`, async (trx, announce) => {
    const nowMs = now();
    const ids = [...new Set(batch.map(({ accountId }) => accountId))];
    const query = trx
      .selectFrom('accounts')
      .select(['id', 'hidden_by'])
      .where('id', 'in', ids)
      .orderBy('id');
    // A decision that ends the wave waits for this transaction.
    const accounts = await (isPostgres(trx) ? query.forShare() : query).execute();
    const numbers = batch.flatMap(({ number }) => number ?? []);
    const isChannel = batch.some(({ number }) => number === undefined);
    if (isChannel) {
      const content = await lockContent(trx, { kind: 'channel', channelId });
      const by = accounts.find(({ id }) => id === content?.row.account_id)?.hidden_by ?? null;
      const isDue =
        work === 'hide'
          ? content?.row.hidden_at_ms === null && by === decisionId
          : content?.row.hidden_by === decisionId && by !== decisionId;
      if (content && isDue) await setHidden(trx, announce, content, by, nowMs);
    } else {
      await lockChannel(trx, channelId);
    }
    if (numbers.length === 0) return;
    const rows = await trx
      .selectFrom('comments')
      .selectAll()
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      .where(isNotMarkedForErasure)
      .$if(work === 'hide', (query) => query.where('hidden_at_ms', 'is', null))
      .$if(work === 'show', (query) => query.where('hidden_by', '=', decisionId))
      .execute();
    const hidingWaves = new Map(accounts.map(({ id, hidden_by }) => [id, hidden_by]));
    const waveOf = (row: { account_id: string }) => hidingWaves.get(row.account_id) ?? null;
    const due = rows.filter((row) => (waveOf(row) === decisionId) === (work === 'hide'));
    // Shown content of an account that another wave hides now becomes part of that one.
    for (const [hidden_by, [first, ...others]] of Map.groupBy(due, waveOf)) {
      if (!first) continue;
      const visibility = { hidden_at_ms: hidden_by === null ? null : nowMs, hidden_by };
      await setVisibility(trx, announce, [first, ...others], visibility, nowMs);
    }
    await announce({ kind: 'channel', channelId });
  });
}

/**
 * The accounts that a wave hides.
 * @throws ApiError as `listArrivals`
 */
export async function listArrivalIds(
  db: Database,
  { except, ...times }: Arrivals,
  nowMs: number,
): Promise<string[]> {
  const rows = bounded(await selectArrivals(db, times, nowMs).execute());
  return rows.map(({ id }) => id).filter((id) => !except.includes(id));
}

/** @throws ApiError `invalid_fields` when there are more than `limits.waveAccounts`, or `to` is in the future */
export async function listArrivals(
  db: Database,
  times: { from: string; to: string },
  nowMs: number,
): Promise<Arrival[]> {
  const found = selectArrivals(db, times, nowMs).select(['name', 'created_at_ms']);
  const accounts = bounded(await found.execute());
  const arrivals: Arrival[] = [];
  while (arrivals.length < accounts.length) {
    const batch = accounts.slice(arrivals.length, arrivals.length + listedAtOnce);
    const written = await readWritten(
      db,
      batch.map(({ id }) => id),
    );
    arrivals.push(
      ...batch.map(({ id, name, created_at_ms }) => {
        const { comments = 0, channels = 0, excerpt = '' } = written.get(id) ?? {};
        return { id, name, createdAt: toInstant(created_at_ms), comments, channels, excerpt };
      }),
    );
    await passTurns(manyTurns);
  }
  return arrivals;
}

/** Counts the visible content of accounts, and reads the beginning of the newest comment, by account. */
async function readWritten(db: Database, accountIds: string[]) {
  const rows = await db
    .selectFrom('accounts')
    .select('accounts.id')
    .select(({ selectFrom, fn }) => {
      const comments = selectFrom('comments')
        .whereRef('comments.account_id', '=', 'accounts.id')
        .where(isVisibleRow);
      const channels = selectFrom('channels')
        .whereRef('channels.account_id', '=', 'accounts.id')
        .where(isVisibleRow);
      const newest = comments.orderBy('comments.created_at_ms', 'desc').limit(1);
      return [
        comments.select(fn.countAll<number>().as('count')).as('comments'),
        channels.select(fn.countAll<number>().as('count')).as('channels'),
        newest.select(readBeginning('text').as('text')).as('newest'),
      ];
    })
    .where('accounts.id', 'in', accountIds)
    .execute();
  const names = await findNames(
    db,
    rows.flatMap(({ newest }) => newest ?? []),
  );
  return new Map(
    rows.map(({ id, comments, channels, newest }) => [
      id,
      {
        ...{ comments: Number(comments), channels: Number(channels) },
        excerpt: newest === null ? '' : beginning(newest, names),
      },
    ]),
  );
}

function bounded<T>(rows: T[]): T[] {
  if (rows.length <= limits.waveAccounts) return rows;
  const message = `Son más de ${limits.waveAccounts} cuentas. Elige un tiempo más corto.`;
  throw new ApiError('invalid_fields', { errors: [{ field: 'from', message }] });
}

/** The accounts opened between two times that a wave can hide, newest first, and one more than a wave can have. */
function selectArrivals(db: Database, { from, to }: { from: string; to: string }, nowMs: number) {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const fields = new FieldParser();
  if (!(fromMs <= toMs)) fields.reject('from', 'El principio tiene que ser anterior al final.');
  if (!(toMs <= nowMs)) fields.reject('to', 'El final no puede estar en el futuro.');
  fields.done();
  return db
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.created_at_ms', '>=', fromMs)
    .where('accounts.created_at_ms', '<=', toMs)
    .where('role', '=', 'member')
    .where('accounts.hidden_by', 'is', null)
    .where('erased_at_ms', 'is', null)
    .orderBy('accounts.created_at_ms', 'desc')
    .limit(limits.waveAccounts + 1);
}
