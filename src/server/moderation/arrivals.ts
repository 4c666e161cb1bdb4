import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { limits } from '../../shared/limits.ts';
import type { Arrival, Arrivals } from '../../shared/moderation.ts';
import { findNames } from '../database/mention-names.ts';
import { type Database, toInstant } from '../database/tables.ts';
import { isVisibleRow } from '../database/visible-rows.ts';
import { FieldParser } from '../http/field-parser.ts';
import { beginning, readBeginning } from './beginnings.ts';

/** Accounts of a list that are read in one turn of the event loop. */
const listedAtOnce = 50;

/**
 * The accounts opened between two times that a wave can hide, newest first.
 * @throws ApiError `invalid_fields` when there are more than `limits.waveAccounts`, or `to` is in the future
 */
export async function listArrivalIds(
  db: Database,
  { from, to, except }: Pick<Arrivals, 'from' | 'to' | 'except'>,
  nowMs: number,
): Promise<string[]> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const fields = new FieldParser();
  if (!(fromMs <= toMs)) fields.reject('from', 'El principio tiene que ser anterior al final.');
  if (!(toMs <= nowMs)) fields.reject('to', 'El final no puede estar en el futuro.');
  fields.done();
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('created_at_ms', '>=', fromMs)
    .where('created_at_ms', '<=', toMs)
    .where('role', '=', 'member')
    .where('hidden_by', 'is', null)
    .where('erased_at_ms', 'is', null)
    .orderBy('created_at_ms', 'desc')
    .limit(limits.waveAccounts + 1)
    .execute();
  if (rows.length > limits.waveAccounts)
    fields.reject('from', `Son más de ${limits.waveAccounts} cuentas. Elige un tiempo más corto.`);
  fields.done();
  return rows.map(({ id }) => id).filter((id) => !except.includes(id));
}

/** The same, with what they wrote. @throws as `listArrivalIds` */
export async function listArrivals(
  db: Database,
  times: { from: string; to: string },
  nowMs: number,
): Promise<Arrival[]> {
  const ids = await listArrivalIds(db, { ...times, except: [] }, nowMs);
  const arrivals: Arrival[] = [];
  for (let start = 0; start < ids.length; start += listedAtOnce) {
    arrivals.push(...(await readArrivals(db, ids.slice(start, start + listedAtOnce))));
    await yieldToEventLoop();
  }
  return arrivals;
}

async function readArrivals(db: Database, ids: string[]): Promise<Arrival[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['accounts.id', 'accounts.name', 'accounts.created_at_ms'])
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
    .where('accounts.id', 'in', ids)
    .execute();
  const names = await findNames(
    db,
    rows.map(({ newest }) => newest),
  );
  return rows
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    .map(({ id, name, created_at_ms, comments, channels, newest }) => ({
      ...{ id, name, createdAt: toInstant(created_at_ms) },
      ...{ comments: Number(comments), channels: Number(channels) },
      excerpt: newest === null ? '' : beginning(newest, names),
    }));
}
