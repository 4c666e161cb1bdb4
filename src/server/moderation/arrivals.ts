import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import type { Arrival, ArrivalList } from '../../shared/moderation.ts';
import { decisionsInForce } from '../accounts/restrictions.ts';
import { findNames } from '../database/mention-names.ts';
import type { StoredText } from '../database/stored-text.ts';
import { type Database, toInstant } from '../database/tables.ts';
import { postOf, textOf } from '../held/held-rows.ts';
import { FieldParser } from '../http/field-parser.ts';
import { beginning, readBeginning } from './beginnings.ts';

/** Accounts of a list that are read in one turn of the event loop. */
const listedAtOnce = 50;

/**
 * Lists the accounts opened between two times, with what they wrote or have waiting.
 * @throws ApiError `invalid_fields`
 */
export async function listArrivals(
  db: Database,
  { from, to }: { from: string; to: string },
): Promise<ArrivalList> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const fields = new FieldParser();
  if (!(fromMs <= toMs)) fields.reject('from', 'El principio tiene que ser anterior al final.');
  fields.done();
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at_ms'])
    .where('created_at_ms', '>=', fromMs)
    .where('created_at_ms', '<=', toMs)
    .where('role', '=', 'member')
    .where('hidden_by', 'is', null)
    .where('erased_at_ms', 'is', null)
    .orderBy('created_at_ms', 'desc')
    .limit(limits.raidAccounts + 1)
    .execute();
  const listed = rows.slice(0, limits.raidAccounts);
  const data: Arrival[] = [];
  for (let start = 0; start < listed.length; start += listedAtOnce) {
    data.push(...(await readArrivals(db, listed.slice(start, start + listedAtOnce))));
    await yieldToEventLoop();
  }
  return { data, isComplete: listed.length === rows.length };
}

async function readArrivals(
  db: Database,
  accounts: { id: string; name: string; created_at_ms: number }[],
): Promise<Arrival[]> {
  const ids = accounts.map(({ id }) => id);
  const approved = await decisionsInForce(db)
    .select('account_id')
    .where('account_id', 'in', ids)
    .where('action', '=', 'approve')
    .execute();
  const isApproved = new Set(approved.map(({ account_id }) => account_id));
  const written = await db
    .selectFrom('accounts')
    .select('accounts.id')
    .select(({ selectFrom, fn }) => {
      const comments = selectFrom('visible_comments')
        .whereRef('visible_comments.account_id', '=', 'accounts.id')
        .select(fn.countAll<number>().as('count'));
      const channels = selectFrom('visible_channels')
        .whereRef('visible_channels.account_id', '=', 'accounts.id')
        .select(fn.countAll<number>().as('count'));
      const newest = selectFrom('visible_comments')
        .whereRef('visible_comments.account_id', '=', 'accounts.id')
        .select(readBeginning('visible_comments.text').as('text'))
        .orderBy('visible_comments.created_at_ms', 'desc')
        .limit(1);
      return [comments.as('comments'), channels.as('channels'), newest.as('newest')];
    })
    .where('accounts.id', 'in', ids)
    .execute();
  const writtenBy = new Map(written.map((row) => [row.id, row]));
  const held = await db
    .selectFrom('held')
    .select(['account_id', 'kind', 'content'])
    .where('account_id', 'in', ids)
    .where('rejected_by', 'is', null)
    .orderBy(sql`held.id desc`)
    .execute();
  const heldBy = Map.groupBy(held, ({ account_id }) => account_id);
  const textBy = (id: string): StoredText | null => {
    const newest = writtenBy.get(id)?.newest ?? null;
    const [waiting] = heldBy.get(id) ?? [];
    return newest ?? (waiting ? textOf(postOf(waiting)) : null);
  };
  const names = await findNames(db, ids.map(textBy));
  return accounts.map(({ id, name, created_at_ms }) => {
    const text = textBy(id);
    return {
      ...{ id, name, createdAt: toInstant(created_at_ms), isApproved: isApproved.has(id) },
      comments: Number(writtenBy.get(id)?.comments ?? 0),
      channels: Number(writtenBy.get(id)?.channels ?? 0),
      waiting: heldBy.get(id)?.length ?? 0,
      excerpt: text === null ? '' : beginning(text, names),
    };
  });
}
