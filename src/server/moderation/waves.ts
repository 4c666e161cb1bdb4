import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { limits } from '../../shared/limits.ts';
import type { Arrival, Arrivals } from '../../shared/moderation.ts';
import { findNames } from '../comments/mention-names.ts';
import { lockChannel, setVisibility } from '../comments/stored-comments.ts';
import { isPostgres } from '../database/is-postgres.ts';
import { toPlainText } from '../database/stored-text.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { isNotMarkedForErasure, isVisibleRow } from '../database/visible-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { lockContent, setHidden } from './content.ts';

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
/** Comments and channels of an account that are found at once. */
const foundItems = 100;
/** The newest items of a wave, which its request hides itself. */
const newestItems = 200;

interface Item {
  channelId: string;
  accountId: string;
  /** Undefined for the channel itself. */
  number?: number;
}

/** Hides the newest content of a wave, at most `newestItems` comments and as many channels. */
export async function hideNewest(services: WaveServices, decisionId: string): Promise<void> {
  const { db } = services;
  const accounts = db
    .selectFrom('decision_accounts')
    .select('account_id')
    .where('decision_id', '=', decisionId)
    .where('work', '=', 'hide');
  const channels = await db
    .selectFrom('channels')
    .select(['id as channelId', 'account_id as accountId'])
    .where('account_id', 'in', accounts)
    .where('hidden_at_ms', 'is', null)
    .where('deleted_at_ms', 'is', null)
    .orderBy('id', 'desc')
    .limit(newestItems)
    .execute();
  const comments = await db
    .selectFrom('comments')
    .select(['channel_id as channelId', 'account_id as accountId', 'number'])
    .where('account_id', 'in', accounts)
    .where(isVisibleRow)
    .orderBy('created_at_ms', 'desc')
    .limit(newestItems)
    .execute();
  await hideOrShow(services, decisionId, 'hide', [...channels, ...comments]);
}

/** Goes on with a wave, or with all of them, until nothing remains. */
export async function continueWaves(services: WaveServices, decisionId?: string): Promise<void> {
  const { db, stopping } = services;
  while (!stopping?.aborted) {
    const next = await db
      .selectFrom('decision_accounts')
      .select(['decision_id', 'account_id', 'work'])
      .where('work', 'is not', null)
      .$if(decisionId !== undefined, (query) => query.where('decision_id', '=', decisionId ?? ''))
      .limit(1)
      .executeTakeFirst();
    if (!next?.work) return;
    const { decision_id, account_id, work } = next;
    const items = await findItems(db, decision_id, account_id, work);
    await hideOrShow(services, decision_id, work, items);
    if (items.length > 0) continue;
    await db
      .updateTable('decision_accounts')
      .set({ work: null })
      .where('decision_id', '=', decision_id)
      .where('account_id', '=', account_id)
      .where('work', '=', work)
      .execute();
  }
}

/** Content that a wave still has to hide or to show; none once it does not hide the account any more. */
async function findItems(
  db: Database,
  decisionId: string,
  accountId: string,
  work: 'hide' | 'show',
): Promise<Item[]> {
  if (work === 'hide') {
    const account = await db
      .selectFrom('accounts')
      .select('hidden_by')
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (account?.hidden_by !== decisionId) return [];
  }
  const channels = await db
    .selectFrom('channels')
    .select(['id as channelId', 'account_id as accountId'])
    .where('account_id', '=', accountId)
    .where(isNotMarkedForErasure)
    .$if(work === 'hide', (query) => query.where('hidden_at_ms', 'is', null))
    .$if(work === 'show', (query) => query.where('hidden_by', '=', decisionId))
    .limit(foundItems)
    .execute();
  const comments = db
    .selectFrom('comments')
    .select(['channel_id as channelId', 'account_id as accountId', 'number'])
    .where('account_id', '=', accountId)
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

async function hideOrShow(
  services: WaveServices,
  decisionId: string,
  work: 'hide' | 'show',
  items: Item[],
): Promise<void> {
  for (const [channelId, ofChannel] of Map.groupBy(items, (item) => item.channelId)) {
    for (let from = 0; from < ofChannel.length; from += batchSize) {
      if (services.stopping?.aborted) return;
      const batch = ofChannel.slice(from, from + batchSize);
      await hideOrShowBatch(services, decisionId, work, { channelId, batch });
      await yieldToEventLoop();
    }
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
    for (const { id, hidden_by } of accounts) {
      // Shown content of an account that another wave hides now becomes part of that one.
      if ((hidden_by === decisionId) !== (work === 'hide')) continue;
      const [first, ...others] = rows.filter((row) => row.account_id === id);
      if (!first) continue;
      const hidden_at_ms = hidden_by === null ? null : nowMs;
      const visibility = { hidden_at_ms, hidden_by };
      await setVisibility(trx, announce, [first, ...others], visibility, nowMs);
    }
    await announce({ kind: 'channel', channelId });
  });
}

/**
 * The accounts that a wave hides.
 * @throws ApiError `invalid_fields` when there are more than `limits.waveAccounts`, or `to` is in the future
 */
export async function listArrivalIds(
  db: Database,
  { except, ...times }: Arrivals,
  nowMs: number,
): Promise<string[]> {
  const ids = (await selectArrivals(db, times, nowMs).execute()).map(({ id }) => id);
  const wanted = ids.filter((id) => !except.includes(id));
  if (ids.length > limits.waveAccounts) {
    const message = `Son más de ${limits.waveAccounts} cuentas. Elige un tiempo más corto.`;
    throw new ApiError('invalid_fields', { errors: [{ field: 'from', message }] });
  }
  return wanted;
}

/** @throws ApiError `invalid_fields` when there are more than `limits.waveAccounts`, or `to` is in the future */
export async function listArrivals(
  db: Database,
  times: { from: string; to: string },
  nowMs: number,
): Promise<Arrival[]> {
  const rows = await selectArrivals(db, times, nowMs)
    .select(['name', 'created_at_ms'])
    .select(({ selectFrom, fn }) => [
      selectFrom('comments')
        .select(fn.countAll<number>().as('count'))
        .whereRef('comments.account_id', '=', 'accounts.id')
        .where(isVisibleRow)
        .as('comments'),
      selectFrom('channels')
        .select(fn.countAll<number>().as('count'))
        .whereRef('channels.account_id', '=', 'accounts.id')
        .where(isVisibleRow)
        .as('channels'),
      selectFrom('comments')
        .select('text')
        .whereRef('comments.account_id', '=', 'accounts.id')
        .where(isVisibleRow)
        .orderBy('comments.created_at_ms', 'desc')
        .limit(1)
        .as('newest'),
    ])
    .execute();
  if (rows.length > limits.waveAccounts) {
    const message = `Son más de ${limits.waveAccounts} cuentas. Elige un tiempo más corto.`;
    throw new ApiError('invalid_fields', { errors: [{ field: 'from', message }] });
  }
  const texts = rows.flatMap(({ newest }) => newest ?? []);
  const names = await findNames(db, texts);
  return rows.map(({ id, name, created_at_ms, comments, channels, newest }) => ({
    id,
    name,
    createdAt: toInstant(created_at_ms),
    comments: Number(comments),
    channels: Number(channels),
    excerpt: newest === null ? '' : excerptOf(toPlainText(newest, names)),
  }));
}

/** The accounts opened between two times that a wave can hide, newest first, and one more than a wave can have. */
function selectArrivals(db: Database, { from, to }: { from: string; to: string }, nowMs: number) {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const errors = [
    ...(Number.isNaN(fromMs) || fromMs > toMs
      ? [{ field: 'from', message: 'El principio tiene que ser anterior al final.' }]
      : []),
    ...(Number.isNaN(toMs) || toMs > nowMs
      ? [{ field: 'to', message: 'El final no puede estar en el futuro.' }]
      : []),
  ];
  if (errors.length > 0) throw new ApiError('invalid_fields', { errors });
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

const excerptChars = 200;

function excerptOf(text: string): string {
  const chars = [...text.slice(0, 2 * excerptChars)];
  return chars.length > excerptChars ? `${chars.slice(0, excerptChars - 1).join('')}…` : text;
}
