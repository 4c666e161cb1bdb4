import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Action, Arrivals, Category, Subject } from '../../shared/moderation.ts';
import { refuse, unrefuse } from '../accounts/admission.ts';
import type { Database } from '../database/tables.ts';
import { hasLeftBin } from '../database/visible-rows.ts';
import { holdAgain, rejectHeldOf } from '../held/held-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { dayMs } from '../times.ts';
import { listArrivalIds } from './arrivals.ts';
import { audited, type Moderator } from './audited.ts';
import { closeAppeals, closeCase, type Target } from './cases.ts';
import {
  authorOf,
  findContent,
  isHidden,
  type LockedContent,
  lockContent,
  setHidden,
} from './content.ts';
import { type DecidingAccount, lockDeciding } from './deciding-accounts.ts';
import { alreadyDecided, storeDecision } from './decision-queries.ts';

/** How long a decision like the one before counts as the same request. */
const repeatedMs = 600_000;

/** A decision to make, whose fields were checked. */
export interface Draft {
  subject: Subject | Arrivals;
  action: Action;
  category: Category;
  reason: string;
  /** Length of a silence or a suspension; null without an end. */
  days: number | null;
  /** `<case>.<revision>` of the queue; undefined for a decision made elsewhere. */
  version: string | undefined;
}

/**
 * Decides, closes the cases that the decision answers, and changes content and accounts at once, except for waves,
 * whose content `continueWaves` changes.
 * @returns the id of the decision
 * @throws ApiError `already_decided` with the earlier decision, `staff_only`; `not_found` when the caller is not a
 * moderator any more; `channel_not_found`, `comment_not_found`, `user_not_found`; `not_restorable` for what has left
 * its author's bin; `invalid_fields`
 */
export async function decide(moderator: Moderator, draft: Draft): Promise<string> {
  const { subject, action } = draft;
  const id = uuidv7();
  const target = await findTarget(moderator.db, draft, moderator.now());
  const subjectId = textOf(subject);
  const entry = {
    row: target.content ? `channel ${target.content.channelId}` : `decision ${subjectId}`,
    action: `${kebab(action)}-${subject.kind}`,
    subject: subject.kind === 'arrivals' ? id : subjectId,
  };
  await audited(moderator, entry, async (trx, announce) => {
    const nowMs = moderator.now();
    const locked = await lockDeciding(trx, moderator, target.accountIds, action);
    const concerned = action === 'hideAll' ? await notHidden(trx, subject, locked) : locked;
    const accountIds = concerned.map((account) => account.id);
    await refuseRepeated(trx, moderator, draft, accountIds, nowMs);
    const appealOf = await closeCase(
      trx,
      moderator,
      target,
      { id, action, author: concerned[0] },
      nowMs,
    );
    const content = target.content && (await lockContent(trx, target.content));
    requireUnchanged(draft, content);
    if (!content && target.content && (action === 'hide' || action === 'restore') && !appealOf)
      throw new ApiError(`${target.content.kind}_not_found`);
    let replaces: string | null = null;
    if (appealOf !== null && action !== 'dismiss') {
      replaces = appealOf;
      const [account] = concerned;
      if (account) await grantAppeal(account);
    } else if (action === 'hide' && content) {
      if (isHidden(content)) throw await alreadyDecided(trx, content.row.hidden_by);
      await setHidden(trx, announce, content, id, nowMs);
    } else if (action === 'restore' && content) {
      replaces = await restore(content);
    } else if (action === 'release') {
      await release(accountIds);
    } else if (action === 'hideAll') {
      await trx
        .updateTable('accounts')
        .set({ hidden_by: id })
        .where('id', 'in', accountIds)
        .execute();
      await rejectHeldOf(trx, accountIds, id, nowMs);
      await refuse(trx, id, accountIds, nowMs);
      // They leave the lists of thanks at once. Caches drop everything, whoever of them is named.
      await announce({ kind: 'profile', accountId: accountIds[0] ?? '' });
    }
    await storeDecision(
      trx,
      {
        ...{ id, at_ms: nowMs, action, category: draft.category, reason: draft.reason },
        ...{ subject_kind: subject.kind, subject_id: subjectId },
        decided_by: moderator.callerId ?? null,
        until_ms: draft.days === null ? null : nowMs + draft.days * dayMs,
        replaces,
      },
      accountIds,
    );

    /** Ends the decision that is appealed against, for the account that appeals. */
    async function grantAppeal(account: DecidingAccount): Promise<void> {
      const appealed = await endDecision(appealOf ?? '', account.id);
      if (!appealed) throw await alreadyDecided(trx, appealOf);
      if (appealed.action === 'hide' && content && content.row.hidden_by === appealOf)
        await setHidden(trx, announce, content, account.hidden_by, nowMs);
      if (appealed.action === 'hideAll') await showAccounts(trx, appealed.id, [account.id], nowMs);
    }

    /** @returns the decision that had hidden the content */
    async function restore(content: LockedContent): Promise<string | null> {
      const { hidden_by } = content.row;
      if (!isHidden(content)) {
        throw await alreadyDecided(trx, await findLast(subjectId), 'No está oculto.');
      }
      if (hasLeftBin(content.row, nowMs)) {
        const detail = 'Su autor lo eliminó hace demasiado tiempo: ya no está en su papelera.';
        throw new ApiError('not_restorable', { detail });
      }
      const hidingWave = concerned[0]?.hidden_by ?? null;
      if (hidingWave !== null && (await isWorking(trx, hidingWave, accountIds))) {
        const detail = 'Todavía se está ocultando lo demás. Vuelve a intentarlo en un momento.';
        throw new ApiError('already_decided', { detail });
      }
      if (hidden_by !== null && hidden_by !== hidingWave) {
        for (const accountId of accountIds) await endDecision(hidden_by, accountId);
      }
      await setHidden(trx, announce, content, null, nowMs);
      return hidden_by;
    }

    async function release(accountIds: string[]): Promise<void> {
      const ended = await trx
        .updateTable('decision_accounts')
        .set({ ended_by: id })
        .where('account_id', 'in', accountIds)
        .where('ended_by', 'is', null)
        .where('decision_id', 'in', ({ selectFrom }) =>
          selectFrom('decisions')
            .select('decisions.id')
            .whereRef('decisions.id', '=', 'decision_accounts.decision_id')
            .where('action', 'in', ['silence', 'suspend'])
            .where('undone_at_ms', 'is', null)
            .where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)])),
        )
        .returning(['decision_id', 'account_id'])
        .execute();
      const wave = concerned[0]?.hidden_by ?? null;
      if (ended.length === 0 && wave !== null) {
        const detail = 'Solo le impide escribir que se ocultó todo lo suyo: deshaz esa decisión.';
        throw await alreadyDecided(trx, wave, detail);
      }
      if (ended.length === 0) {
        const detail = 'Ninguna decisión le impide ya escribir ni entrar.';
        throw await alreadyDecided(trx, await findLast(), detail);
      }
      for (const { decision_id, account_id } of ended)
        await closeAppeals(trx, { appealOf: decision_id, accountId: account_id }, id, nowMs);
    }

    /** Finds the last such decision on these accounts, or only on this content. */
    async function findLast(contentId?: string): Promise<string | null> {
      const last = await trx
        .selectFrom('decision_accounts')
        .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
        .select('decisions.id')
        .where('account_id', 'in', accountIds)
        .where('action', '=', action)
        .where('undone_at_ms', 'is', null)
        .$if(contentId !== undefined, (query) => query.where('subject_id', '=', contentId ?? ''))
        .orderBy('decision_id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return last?.id ?? null;
    }

    /** @returns the decision if it was in force */
    async function endDecision(decisionId: string, accountId: string) {
      const decision = await trx
        .selectFrom('decisions')
        .select(['id', 'action'])
        .where('id', '=', decisionId)
        .where('undone_at_ms', 'is', null)
        .executeTakeFirst();
      if (!decision) return undefined;
      const { numUpdatedRows } = await trx
        .updateTable('decision_accounts')
        .set({ ended_by: id })
        .where('decision_id', '=', decisionId)
        .where('account_id', '=', accountId)
        .where('ended_by', 'is', null)
        .executeTakeFirst();
      await closeAppeals(trx, { appealOf: decisionId, accountId }, id, nowMs);
      return numUpdatedRows > 0n ? decision : undefined;
    }
  });
  return id;
}

/** Finds whom and what a decision is about. Authors of content do not change, so this needs no lock. */
async function findTarget(db: Database, draft: Draft, nowMs: number): Promise<Target> {
  const { subject, version } = draft;
  const caseId = version?.split('.')[0];
  if (subject.kind === 'arrivals') {
    return {
      subject,
      caseId,
      content: undefined,
      accountIds: await listArrivalIds(db, subject, nowMs),
    };
  }
  const content = findContent(subject);
  const author = content ? await authorOf(db, content) : subject.id;
  const accountId = author ?? (await accountOfCase(db, subject, caseId));
  if (accountId === undefined) throw new ApiError(`${subject.kind}_not_found`);
  return { subject, caseId, content, accountIds: [accountId] };
}

/** The author of content that does not exist any more. */
async function accountOfCase(db: Database, { kind, id }: Subject, caseId: string | undefined) {
  const row = await db
    .selectFrom('cases')
    .select('account_id')
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .$if(caseId === undefined, (query) => query.where('decided_at_ms', 'is', null))
    .$if(caseId !== undefined, (query) => query.where('id', '=', caseId ?? ''))
    .limit(1)
    .executeTakeFirst();
  return row?.account_id;
}

/**
 * Refuses a silence or suspension sent again, such as after a lost response: each would have to be undone. Other decisions
 * find their effect already there.
 * @throws ApiError `already_decided` with the first one
 */
async function refuseRepeated(
  trx: Database,
  { callerId = null }: { callerId?: string | null },
  { subject, version, action, reason, days }: Draft,
  accountIds: string[],
  nowMs: number,
): Promise<void> {
  // A decision from the queue finds its case closed.
  if (version !== undefined || (action !== 'silence' && action !== 'suspend')) return;
  const first = await trx
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .select('decisions.id')
    .where('account_id', 'in', accountIds)
    .where('ended_by', 'is', null)
    .where('undone_at_ms', 'is', null)
    .where('action', '=', action)
    .where('reason', '=', reason)
    .where('subject_id', '=', textOf(subject))
    .where('decided_by', 'is not distinct from', callerId)
    .where(sql`until_ms - at_ms`, 'is not distinct from', days === null ? null : days * dayMs)
    .where('at_ms', '>', nowMs - repeatedMs)
    .executeTakeFirst();
  if (first) throw await alreadyDecided(trx, first.id);
}

/** @throws ApiError `already_decided` when the content is not the one that the moderator looked at */
function requireUnchanged({ version }: Draft, content: LockedContent | undefined): void {
  if (version === undefined) return;
  if (version.split('.')[1] !== String(content?.row.revision ?? 0)) {
    const detail = 'Cambió mientras lo mirabas. Recarga la página y míralo otra vez.';
    throw new ApiError('already_decided', { detail });
  }
}

/** @throws ApiError `already_decided` when a wave hides them already; `invalid_fields` when there is none */
async function notHidden(trx: Database, subject: Draft['subject'], concerned: DecidingAccount[]) {
  const hidingWave = concerned[0]?.hidden_by ?? null;
  if (subject.kind !== 'arrivals' && hidingWave !== null)
    throw await alreadyDecided(trx, hidingWave);
  const left = concerned.filter(({ hidden_by }) => hidden_by === null);
  if (left.length > 0) return left;
  if (subject.kind === 'arrivals') {
    const hidden = await trx
      .selectFrom('accounts')
      .select('hidden_by')
      .where('created_at_ms', '>=', Date.parse(subject.from))
      .where('created_at_ms', '<=', Date.parse(subject.to))
      .where('hidden_by', 'is not', null)
      .orderBy('created_at_ms', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (hidden) throw await alreadyDecided(trx, hidden.hidden_by);
  }
  const message = 'En ese tiempo no se abrió ninguna cuenta que se pueda ocultar.';
  throw new ApiError('invalid_fields', { errors: [{ field: 'subject', message }] });
}

/** Ends a wave for accounts: they and what they had waiting wait again, and `continueWaves` shows their content. */
export async function showAccounts(
  trx: Database,
  decisionId: string,
  accountIds: string[],
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ hidden_by: null })
    .where('id', 'in', accountIds)
    .where('hidden_by', '=', decisionId)
    .execute();
  await holdAgain(trx, decisionId, accountIds);
  await unrefuse(trx, decisionId, accountIds, nowMs);
  await trx
    .updateTable('decision_accounts')
    .set({ work: 'show' })
    .where('decision_id', '=', decisionId)
    .where('account_id', 'in', accountIds)
    .execute();
}

async function isWorking(
  trx: Database,
  decisionId: string,
  accountIds: string[],
): Promise<boolean> {
  const row = await trx
    .selectFrom('decision_accounts')
    .select('work')
    .where('decision_id', '=', decisionId)
    .where('account_id', 'in', accountIds)
    .where('work', '=', 'hide')
    .executeTakeFirst();
  return row !== undefined;
}

/** Without fields that do not belong to it. */
function textOf(subject: Draft['subject']): string {
  if (subject.kind !== 'arrivals') return subject.id;
  const { kind, from, to, except } = subject;
  return JSON.stringify({ kind, from, to, except });
}

const kebab = (action: Action) => (action === 'hideAll' ? 'hide-all' : action);
