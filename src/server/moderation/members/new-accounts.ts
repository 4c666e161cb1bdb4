import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { limits } from '../../../shared/limits.ts';
import type { NewAccount, NewAccountList } from '../../../shared/moderation.ts';
import { decisionsInForce } from '../../accounts/standing/restrictions.ts';
import { findNames } from '../../database/mention-names.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { beginning } from '../../database/text-beginnings.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { readNewestTexts } from '../queue/newest-texts.ts';

/** Accounts read in one turn of the event loop. */
const listedAtOnce = 50;

/**
 * Lists the accounts opened between two times, or since `from`, with counts of their posts and an excerpt.
 * @throws ApiError `invalid_fields`
 */
export async function listNewAccounts(
  db: Database,
  { from, to }: { from: string; to?: string },
): Promise<NewAccountList> {
  const fromMs = Date.parse(from);
  const toMs = to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to);
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
  const data: NewAccount[] = [];
  for (let start = 0; start < listed.length; start += listedAtOnce) {
    data.push(...(await readNewAccounts(db, listed.slice(start, start + listedAtOnce))));
    await yieldToEventLoop();
  }
  return { data, isComplete: listed.length === rows.length };
}

async function readNewAccounts(
  db: Database,
  accounts: { id: string; name: string; created_at_ms: number }[],
): Promise<NewAccount[]> {
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
      const waiting = selectFrom('pending_posts')
        .whereRef('pending_posts.account_id', '=', 'accounts.id')
        .where('rejected_by', 'is', null)
        .select(fn.countAll<number>().as('count'));
      return [comments.as('comments'), channels.as('channels'), waiting.as('waiting')];
    })
    .where('accounts.id', 'in', ids)
    .execute();
  const writtenBy = new Map(written.map((row) => [row.id, row]));
  const texts = await readNewestTexts(db, ids, 1);
  const names = await findNames(db, [...texts.values()].flat());
  return accounts.map(({ id, name, created_at_ms }) => {
    const [text] = texts.get(id) ?? [];
    return {
      ...{ id, name, createdAt: toInstant(created_at_ms), isApproved: isApproved.has(id) },
      comments: Number(writtenBy.get(id)?.comments ?? 0),
      channels: Number(writtenBy.get(id)?.channels ?? 0),
      waiting: Number(writtenBy.get(id)?.waiting ?? 0),
      excerpt: text === undefined ? '' : beginning(text, names),
    };
  });
}
