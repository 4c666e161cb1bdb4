import { sql } from 'kysely';
import { maxNumber, parseCommentId } from '../../../shared/comment-id.ts';
import type { Category, DecisionAction, QueueItem, Subject } from '../../../shared/moderation.ts';
import { activeStaff } from '../../accounts/standing/staff.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { unionAll } from '../../database/union-all.ts';
import { carriedWords } from '../../forum/comments/carried-words.ts';
import type { CommentRowKey } from '../../forum/comments/comment-keys.ts';
import { findEvents, pendingEvent } from '../../forum/events/event-rows.ts';
import { findFiles } from '../../forum/files/comment-files.ts';
import type { Case } from '../../forum/pending/pending-cases.ts';
import { withSignedUrls } from '../../images/signed-urls.ts';
import { findNames } from '../../texts/mention-names.ts';
import { toPlainText, withoutCutMention } from '../../texts/stored-text.ts';
import { beginning, readBeginning } from '../../texts/text-beginnings.ts';
import { wholeText, withoutCarried } from '../../texts/whole-text.ts';
import { readDecisions } from '../decisions/decision-log.ts';
import { type Account, appealRefusalOf, refusalOf } from '../decisions/may-decide.ts';
import { caseVersion } from '../reports/close-case.ts';
import { parseImages } from '../reports/open-case.ts';
import { sourceOfReport } from '../reports/report-content.ts';
import { readSubjects, subjectKey } from '../reports/report-subjects.ts';
import { readNewestTexts } from './newest-texts.ts';

/** Maximum number of decisions in an author's history, and of report texts, per item. */
const perItem = 10;
/** Comments shown before and after the reported one. */
const around = 2;
/** Newest texts of an account, shown in items about the whole account. */
const newest = 3;

const subjectOf = ({ subject_kind: kind, subject_id: id }: Case): Subject => ({ kind, id });
/** The subject to read as it is now; for a pending comment, its channel. */
const nowOf = (row: Case): Subject =>
  row.channel_id ? { kind: 'channel', id: row.channel_id } : subjectOf(row);

/**
 * Reads the queue items of cases: the content then and now, the comments around it, its author, and the reports. The
 * number of queries does not depend on the number of cases.
 */
export async function readItems(
  db: Database,
  caller: Account,
  cases: Case[],
  nowMs: number,
): Promise<QueueItem[]> {
  if (cases.length === 0) return [];
  const subjects = await readSubjects(db, cases.map(nowOf));
  const authors = await readAuthors(db, [...new Set(cases.map(({ account_id }) => account_id))]);
  const reports = await readReports(db, cases);
  const neighbours = await readNeighbours(db, cases);
  const decisions = await readDecisions(
    db,
    cases.flatMap(({ decision_id, appeal }) => [decision_id, appeal?.of]),
  );
  const isAboutAll = ({ subject_kind, pendingReason, decision_id }: Case) =>
    (subject_kind === 'user' && !pendingReason) ||
    decisions.get(decision_id ?? '')?.action === 'hideAll';
  const wrote = await readNewestTexts(
    db,
    [...new Set(cases.filter(isAboutAll).map(({ account_id }) => account_id))],
    newest,
  );
  const isAppeal = cases.some(({ appeal }) => appeal !== undefined);
  const active = isAppeal ? await activeStaff(db, nowMs) : [];
  const names = await findNames(db, [
    ...cases.map(({ text }) => text),
    ...[...subjects.values()].map(({ text }) => text),
    ...[...reports.values()].flatMap(({ texts }) => texts.map(({ said }) => said)),
    ...neighbours.map(({ text }) => text),
    ...[...wrote.values()].flat(),
  ]);
  const events = await findEvents(db, cases.flatMap(commentOf));
  const keptUrls = await readKeptUrls(db, cases);
  const kept = await findFiles(db, [...keptUrls.values()].flat());
  const toItem = (row: Case): QueueItem => {
    const now = subjects.get(subjectKey(nowOf(row)));
    const eventNow = now && events.get(row.subject_id);
    const event = row.event ? pendingEvent(row.event, nowMs) : (eventNow ?? null);
    const urls = keptUrls.get(row.id) ?? [];
    const isOfNow = now && !row.pendingReason;
    const files = isOfNow ? now.files : urls.flatMap((url) => kept.get(url) ?? []);
    const carried = carriedWords({ event, poll: null, files });
    // An appeal shows the current content.
    const whole = row.appeal ? (now?.text ?? null) : row.text;
    const withoutDates = whole && withoutCarried(whole, carried);
    const haveDatesChanged = withoutDates === whole;
    const text = toPlainText(withoutDates, names);
    const textNow = now && (haveDatesChanged ? now.text : withoutCarried(now.text, carried));
    const author = authors.get(row.account_id);
    if (!author) throw new Error(`the case ${row.id} has no author`);
    const found = reports.get(row.id);
    const appealed = decisions.get(row.appeal?.of ?? '');
    const refusal =
      row.appeal && appealed
        ? appealRefusalOf(
            caller,
            author,
            { action: appealed.action, decided_by: row.appeal.decided_by },
            active,
          )
        : refusalOf(caller, author);
    const beside = (isBefore: boolean) =>
      neighbours
        .filter((one) => one.case_id === row.id && one.is_before === (isBefore ? 1 : 0))
        .sort((one, other) => one.number - other.number)
        .map(({ autor, text }) => ({ autor, comment: beginning(text, names) }));
    return {
      subject: subjectOf(row),
      version:
        row.pendingReason || row.appeal ? row.id : caseVersion(row.id, now?.revision, eventNow),
      text,
      textNow: row.pendingReason
        ? text
        : textNow === undefined
          ? null
          : toPlainText(textNow, names),
      event,
      images: row.appeal ? (now?.images ?? []) : parseImages(row.images),
      files,
      openedAt: toInstant(row.opened_at_ms),
      state: row.pendingReason ? 'pending' : (now?.ownState ?? 'erased'),
      author: {
        ...author,
        history: author.history.filter(({ id }) => id !== row.decision_id && id !== row.appeal?.of),
      },
      wrote: isAboutAll(row)
        ? (wrote.get(row.account_id) ?? []).map((one) => beginning(one, names))
        : [],
      reports: {
        count: row.report_count,
        reasons: found?.reasons ?? {},
        texts: (found?.texts ?? []).map(({ reason, text, said, name, email, created_at_ms }) => ({
          reason,
          text,
          from: email === '' ? name : `${name} <${email}>`,
          at: toInstant(created_at_ms),
          ...(said !== '' && { said: toPlainText(withoutCutMention(said), names) }),
        })),
      },
      context: { channel: now?.channel ?? null, before: beside(true), after: beside(false) },
      appeal:
        row.appeal && appealed ? { id: row.id, text: row.appeal.text, decision: appealed } : null,
      refusal: refusal?.detail ?? null,
      decision: decisions.get(row.decision_id ?? '') ?? null,
      pendingReason: row.pendingReason ?? null,
    };
  };
  return withSignedUrls(db, cases.map(toItem), nowMs);
}

/** The URLs of what cases and pending posts keep, which may no longer be where it was: images, and files. */
async function readKeptUrls(db: Database, cases: Case[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('case_images')
    .select(['case_id', 'url'])
    .where(
      'case_id',
      'in',
      cases.map(({ id }) => id),
    )
    .execute();
  const urls = Map.groupBy(rows, ({ case_id }) => case_id);
  return new Map(
    cases.map(({ id, files }) => [id, files ?? (urls.get(id) ?? []).map(({ url }) => url)]),
  );
}

/** The key of a reported comment, as a list. */
function commentOf({ subject_kind, subject_id, pendingReason }: Case): CommentRowKey[] {
  const key = subject_kind === 'comment' && !pendingReason ? parseCommentId(subject_id) : undefined;
  return key ? [{ channel_id: key.channelId, number: key.number }] : [];
}

/** Authors by id, with the newest decisions about them. */
async function readAuthors(db: Database, ids: string[]): Promise<Map<string, QueueItem['author']>> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'role', 'admission', 'created_at_ms', invitedBy.as('invited_by')])
    .where('id', 'in', ids)
    .execute();
  const history = await unionAll(
    db,
    ids.map((id) =>
      db
        .selectFrom('decision_accounts')
        .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
        .select(['account_id', 'decision_id', 'at_ms', 'action', 'category'])
        .select(({ selectFrom }) =>
          selectFrom('decisions as later')
            .select('later.at_ms')
            .whereRef('later.undoes', '=', 'decisions.id')
            .as('undone_at_ms'),
        )
        .where('account_id', '=', id)
        .where('action', '<>', 'undo')
        .where('subject_kind', '<>', 'appeal')
        .orderBy('decision_id', 'desc')
        .limit(perItem),
    ),
  );
  const historyOf = Map.groupBy(history, ({ account_id }) => account_id);
  return new Map(
    accounts.map(({ created_at_ms, invited_by, admission, ...account }) => [
      account.id,
      {
        ...account,
        ...(admission === 'imported' && { isImported: true as const }),
        createdAt: toInstant(created_at_ms),
        invitedBy: invited_by ?? '',
        history: (historyOf.get(account.id) ?? []).map((row) => ({
          id: row.decision_id,
          at: toInstant(Number(row.at_ms)),
          action: row.action as DecisionAction,
          category: row.category as Category,
          undoneAt: row.undone_at_ms === null ? null : toInstant(Number(row.undone_at_ms)),
        })),
      },
    ]),
  );
}

/** Name of the person whose invitation opened the account. */
const invitedBy = sql<string | null>`(
  select inviter.name from invitations join accounts as inviter on inviter.id = invitations.account_id
  where invitations.id = accounts.invitation_id
)`;

/** Legal notices come first, and texts of unnamed guests last. */
const reportRank = sql<number>`case when reports.name <> '' then 0
  when reports.text <> '' and reports.account_id is not null then 1 else 2 end`;

/**
 * For each case, the counts of reports by reason, and the first texts. The first report of each account or address
 * precedes all repeated ones, so that nobody fills the list alone.
 */
async function readReports(db: Database, cases: Case[]) {
  const caseIds = cases.map(({ id }) => id);
  const ranked = db
    .selectFrom('reports')
    .select(['id', 'case_id', 'reason', reportRank.as('rank')])
    .select(
      sql<number>`row_number() over (partition by case_id, ${sourceOfReport} order by ${reportRank}, id)`.as(
        'turn',
      ),
    )
    .where('case_id', 'in', caseIds);
  const reports = await db
    .selectFrom(ranked.as('ranked'))
    .select(['id', 'case_id', 'reason'])
    .orderBy(sql`case turn when 1 then 1 else 2 end`)
    .orderBy('rank')
    .orderBy('id')
    .execute();
  const byCase = Map.groupBy(reports, ({ case_id }) => case_id);
  const first = [...byCase.values()].flatMap((ofCase) => ofCase.slice(0, perItem));
  const texts =
    first.length > 0
      ? await db
          .selectFrom('reports')
          .select(['case_id', 'reason', 'text', 'email', 'created_at_ms'])
          .select(readBeginning('said').as('said'))
          .select(sql<string>`coalesce(${nameOf('reports.account_id')}, reports.name)`.as('name'))
          .where(
            'id',
            'in',
            first.map(({ id }) => id),
          )
          .orderBy(reportRank)
          .orderBy('id')
          .execute()
      : [];
  const textsOf = Map.groupBy(texts, ({ case_id }) => case_id);
  return new Map(
    [...byCase].map(([id, ofCase]) => {
      const reasons = [...Map.groupBy(ofCase, ({ reason }) => reason)];
      return [
        id,
        {
          reasons: Object.fromEntries(reasons.map(([reason, { length }]) => [reason, length])),
          texts: textsOf.get(id) ?? [],
        },
      ];
    }),
  );
}

/** The visible comments before and after each reported comment, and before each pending one. */
function readNeighbours(db: Database, cases: Case[]) {
  const queries = cases.flatMap((row) => {
    const key = row.channel_id
      ? { channelId: row.channel_id, number: maxNumber }
      : row.subject_kind === 'comment' && parseCommentId(row.subject_id);
    if (!key) return [];
    return [true, false].map((isBefore) =>
      db
        .selectFrom('visible_comments')
        .select(['number', readBeginning(wholeText('visible_comments')).as('text')])
        .select([
          sql<string>`cast(${row.id} as text)`.as('case_id'),
          sql<number>`cast(${isBefore ? 1 : 0} as integer)`.as('is_before'),
          nameOf('visible_comments.account_id').as('autor'),
        ])
        .where('channel_id', '=', key.channelId)
        .where('number', isBefore ? '<' : '>', key.number)
        .orderBy('number', isBefore ? 'desc' : 'asc')
        .limit(around),
    );
  });
  return unionAll(db, queries);
}

/** A subquery, because PostgreSQL would overestimate the rows of a join and read all accounts. */
const nameOf = (accountId: string) =>
  sql<string>`(select accounts.name from accounts where accounts.id = ${sql.ref(accountId)})`;
