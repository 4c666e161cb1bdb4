import { sql } from 'kysely';
import { visibleName } from '../../../shared/clean-text.ts';
import { limits } from '../../../shared/limits.ts';
import type { Member, MemberList } from '../../../shared/moderation.ts';
import { hasWordFrom, idsByWord } from '../../accounts/name-words.ts';
import { nameKey } from '../../accounts/names.ts';
import { decisionsInForce, restrictionsInForce } from '../../accounts/standing/restrictions.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { formatIdCursor, parseIdCursor } from '../../forum/cursors.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { viewableUrl } from '../../images/signed-urls.ts';
import { findNames } from '../../texts/mention-names.ts';
import { beginning } from '../../texts/text-beginnings.ts';
import { readNewestTexts } from '../queue/newest-texts.ts';

const perPage = 50;
/** Sorts after all ids. With a bound, SQLite searches the index on the first page as well. */
const lastId = 'g';

interface MemberSearch {
  q?: string | undefined;
  unapproved?: '1' | undefined;
  after?: string | undefined;
}

/**
 * Reads one page of the accounts, newest first, without erased and refused ones.
 * @param search `q` matches names from the start of any word; `unapproved` leaves only members that no moderator has
 * approved or hidden as a whole; `after` is `next` of the previous page
 * @throws InvalidCursor; ApiError `invalid_fields`
 */
export async function listMembers(
  { db, now }: { db: Database; now: () => number },
  { q: rawQ = '', unapproved, after }: MemberSearch,
): Promise<MemberList> {
  const fields = new FieldParser();
  const key = nameKey(fields.optionalText('q', visibleName(rawQ), limits.userNameChars));
  fields.done();
  const before = after === undefined ? lastId : parseIdCursor(after).id;
  const found = await findAccounts(db, { key, before, isUnapproved: unapproved !== undefined });
  const page = found.slice(0, perPage);
  const restricted = await findRestricted(db, page, now());
  const ids = page.map(({ id }) => id);
  const texts = await readNewestTexts(db, ids, 1);
  const names = await findNames(db, [...texts.values()].flat());
  const data: Member[] = [];
  for (const account of page) {
    const [text] = texts.get(account.id) ?? [];
    data.push({
      id: account.id,
      name: account.name,
      role: account.role,
      img: await viewableUrl(db, account.img ?? '', now()),
      state: stateOf(account, restricted),
      createdAt: toInstant(account.created_at_ms),
      beginning: text === undefined ? '' : beginning(text, names),
    });
  }
  const last = page.at(-1);
  const hasMore = found.length > perPage && last;
  return {
    data,
    next: hasMore ? formatIdCursor({ atMs: last.created_at_ms, id: last.id }) : null,
  };
}

type Account = Awaited<ReturnType<typeof findAccounts>>[number];

/** Reads one more than a page, to know whether another page follows. Ids sort by time. */
async function findAccounts(
  db: Database,
  { key, before, isUnapproved }: { key: string; before: string; isUnapproved: boolean },
) {
  const approval = decisionsInForce(db)
    .select('decisions.id')
    .where('account_id', '=', sql.ref<string>('accounts.id'))
    .where('action', '=', 'approve');
  const newest = db
    .selectFrom('accounts')
    .select(['id', 'name', 'name_key', 'img', 'role', 'created_at_ms'])
    .select(['disabled_at_ms', 'admission', 'hidden_by'])
    .where('id', '<', before)
    .where('erased_at_ms', 'is', null)
    .where(({ eb, or }) => or([eb('admission', 'is', null), eb('admission', '=', 'pending')]))
    .$if(isUnapproved, (accounts) =>
      accounts
        .where('role', '=', 'member')
        .where('hidden_by', 'is', null)
        .where(({ not, exists }) => not(exists(approval))),
    )
    .orderBy('id', 'desc');
  if (key === '') return newest.limit(perPage + 1).execute();
  const ids = idsByWord(db, key);
  if (!ids) return [];
  const rows = await newest.where('id', 'in', ids).execute();
  return rows.filter((row) => hasWordFrom(key, row));
}

/** Decisions in force that restrict these accounts. */
async function findRestricted(db: Database, accounts: Account[], nowMs: number) {
  if (accounts.length === 0) return [];
  return restrictionsInForce(db, nowMs)
    .select(['account_id', 'action'])
    .where(
      'account_id',
      'in',
      accounts.map(({ id }) => id),
    )
    .execute();
}

/**
 * The strictest state of an account. An account disabled by the operator counts as suspended: it cannot sign in either.
 */
function stateOf(
  { id, admission, disabled_at_ms, hidden_by }: Account,
  restricted: Awaited<ReturnType<typeof findRestricted>>,
): Member['state'] {
  const actions = restricted.filter(({ account_id }) => account_id === id);
  if (admission === 'pending') return 'waiting';
  if (disabled_at_ms !== null || actions.some(({ action }) => action === 'suspend'))
    return 'suspended';
  if (hidden_by !== null) return 'hidden';
  return actions.length > 0 ? 'silenced' : 'active';
}
