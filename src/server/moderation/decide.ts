import { v7 as uuidv7 } from 'uuid';
import type { Action, Subject } from '../../shared/moderation.ts';
import type { Database } from '../database/tables.ts';
import { hasLeftBin } from '../database/visible-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { dayMs } from '../times.ts';
import { listArrivalIds } from './arrivals.ts';
import { audited, type Moderator } from './audited.ts';
import { closeCase, type Step } from './cases.ts';
import { findContent, isHidden, type LockedContent, lockContent, setHidden } from './content.ts';
import { type DecidingAccount, lockDeciding } from './deciding-accounts.ts';
import { alreadyDecided, storeDecision } from './decision-queries.ts';
import { type Draft, requireUnchanged } from './draft.ts';
import { end, followDecisions, hideAccounts, inForce, showAccounts } from './in-force.ts';
import { readSubjects, subjectKey } from './report-subjects.ts';
import { findWaiting, review } from './review.ts';

/** How long a decision like the one before counts as the same request. */
const repeatedMs = 600_000;

/**
 * Decides, closes the cases that the decision answers, and changes content and accounts at once, except for waves,
 * whose content `continueWaves` changes.
 * @returns the id of the decision
 * @throws ApiError `already_decided` with the earlier decision, `staff_only`; `not_found` when the caller is not a
 * moderator any more; `channel_not_found`, `comment_not_found`, `user_not_found`; `not_restorable` for what has left
 * its author's bin; `invalid_fields`; as `review`
 */
export async function decide(moderator: Moderator, draft: Draft): Promise<string> {
  const { callerId = null, db, now } = moderator;
  const { subject, action, category, reason, days } = draft;
  const id = uuidv7();
  const { row, accountIds } = await findTarget(db, draft, now());
  const subjectId = textOf(subject);
  const entry = {
    ...{ row, action: `${auditedAction(action)}-${subject.kind}` },
    subject: subject.kind === 'arrivals' ? id : subjectId,
  };
  await audited(moderator, entry, async (trx, announce) => {
    const nowMs = now();
    const locked = await lockDeciding(trx, moderator, accountIds, action);
    const concerned = action === 'hideAll' ? await notHidden(trx, subject, locked) : locked;
    const ids = concerned.map((account) => account.id);
    const step = {
      trx,
      announce,
      callerId,
      id,
      draft,
      subjectId,
      concerned,
      accountIds: ids,
      nowMs,
    };
    const isReview = action === 'approve' || action === 'reject';
    const effect = isReview ? await review(step) : { replaces: await takeEffect(step) };
    await storeDecision(
      trx,
      {
        ...{ id, at_ms: nowMs, action, category, reason, decided_by: callerId },
        ...{ subject_kind: subject.kind, subject_id: subjectId },
        until_ms: days === null ? null : nowMs + days * dayMs,
        ...effect,
      },
      ids,
    );
  });
  return id;
}

/** As the audit log names it. */
export const auditedAction = (action: Action) => (action === 'hideAll' ? 'hide-all' : action);

/** Finds whom a decision concerns. Authors of content do not change, so this needs no lock. */
async function findTarget(db: Database, { subject, version, action }: Draft, nowMs: number) {
  if (subject.kind === 'arrivals')
    return { row: 'arrivals', accountIds: await listArrivalIds(db, subject, nowMs) };
  if (action === 'approve' || action === 'reject') return findWaiting(db, subject);
  const content = findContent(subject);
  if (!content) return { row: `decision ${subject.id}`, accountIds: [subject.id] };
  const found = (await readSubjects(db, [subject])).get(subjectKey(subject));
  const author = found?.accountId ?? (await accountOfCase(db, subject, version));
  if (author === undefined) throw new ApiError(`${subject.kind}_not_found`);
  return { row: `channel ${content.channelId}`, accountIds: [author] };
}

/** The author of content that does not exist any more. */
async function accountOfCase(db: Database, { kind, id }: Subject, version: string | undefined) {
  const row = await db
    .selectFrom('cases')
    .select('account_id')
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .where((eb) =>
      version ? eb('id', '=', version.split('.')[0] ?? '') : eb('decided_at_ms', 'is', null),
    )
    .limit(1)
    .executeTakeFirst();
  return row?.account_id;
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

/** @returns the decision that is appealed against */
async function takeEffect(step: Step): Promise<string | null> {
  const { trx, announce, id, draft, concerned, accountIds, nowMs } = step;
  const { subject, action } = draft;
  await refuseRepeated(step);
  const appealOf = await closeCase(step);
  const key = subject.kind === 'arrivals' ? undefined : findContent(subject);
  const content = key && (await lockContent(trx, key));
  requireUnchanged(draft, content?.row.revision ?? 0);
  if (appealOf !== null) {
    if (action !== 'dismiss') await grantAppeal(step, appealOf, content);
    return appealOf;
  }
  if (action === 'hide' || action === 'restore') {
    if (!content) throw new ApiError(`${key?.kind ?? 'comment'}_not_found`);
    if (action === 'restore') {
      await restore(step, content);
    } else {
      if (isHidden(content)) throw await alreadyDecided(trx, content.row.hidden_by);
      await setHidden(trx, announce, content, id, nowMs);
    }
  } else if (action === 'release') {
    await release(step, concerned[0]?.hidden_by ?? null);
  } else if (action === 'hideAll') {
    await hideAccounts(trx, id, accountIds, nowMs);
    // They leave the lists of thanks at once. Caches drop everything, whoever of them is named.
    await announce({ kind: 'profile', accountId: accountIds[0] ?? '' });
  }
  return null;
}

/** Ends the decision that is appealed against, for the account that appeals. */
async function grantAppeal(
  { trx, announce, id, concerned: [author], accountIds, nowMs }: Step,
  appealOf: string,
  content: LockedContent | undefined,
): Promise<void> {
  const appealed = inForce(trx, accountIds).where('decision_id', '=', appealOf);
  const [ended] = await end(trx, appealed, id, nowMs);
  if (!ended) throw await alreadyDecided(trx, appealOf);
  if (content && author && ended.action === 'hide')
    await followDecisions(trx, announce, content, author, nowMs);
  if (ended.action === 'hideAll') await showAccounts(trx, appealOf, accountIds, nowMs);
}

async function restore(step: Step, content: LockedContent): Promise<void> {
  const { trx, announce, id, subjectId, accountIds, nowMs } = step;
  if (!isHidden(content)) {
    throw await alreadyDecided(trx, (await findSame(step))?.decision_id, 'No está oculto.');
  }
  if (hasLeftBin(content.row, nowMs)) {
    const detail = 'Su autor lo eliminó hace demasiado tiempo: ya no está en su papelera.';
    throw new ApiError('not_restorable', { detail });
  }
  // A wave goes on hiding the rest.
  const hiding = inForce(trx, accountIds).where('subject_id', '=', subjectId);
  await end(trx, hiding.where('action', '=', 'hide'), id, nowMs);
  await setHidden(trx, announce, content, null, nowMs);
}

async function release(step: Step, hidingWave: string | null): Promise<void> {
  const { trx, id, accountIds, nowMs } = step;
  const restricting = inForce(trx, accountIds)
    .where('action', 'in', ['silence', 'suspend'])
    .where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)]));
  const ended = await end(trx, restricting, id, nowMs);
  if (ended.length > 0) return;
  if (hidingWave !== null) {
    const detail = 'Solo le impide escribir que se ocultó todo lo suyo: deshaz esa decisión.';
    throw await alreadyDecided(trx, hidingWave, detail);
  }
  const detail = 'Ninguna decisión le impide ya escribir ni entrar.';
  throw await alreadyDecided(trx, (await findSame(step))?.decision_id, detail);
}

/**
 * Refuses a silence or suspension sent again, such as after a lost response: each would have to be undone. Other decisions
 * find their effect already there, and those from the queue their case closed.
 * @throws ApiError `already_decided` with the first one
 */
async function refuseRepeated(step: Step): Promise<void> {
  const { trx, callerId, draft, nowMs } = step;
  const { version, action, reason, days } = draft;
  if (version !== undefined || (action !== 'silence' && action !== 'suspend')) return;
  const same = await findSame(step);
  if (!same || same.reason !== reason || same.decided_by !== callerId) return;
  const lasted = same.until_ms === null ? null : same.until_ms - same.at_ms;
  if (lasted === (days === null ? null : days * dayMs) && same.at_ms > nowMs - repeatedMs)
    throw await alreadyDecided(trx, same.decision_id);
}

/** Finds the last such decision in force on the same. */
function findSame({ trx, draft, subjectId, accountIds }: Step) {
  return inForce(trx, accountIds)
    .select(['at_ms', 'until_ms', 'reason', 'decided_by'])
    .where('action', '=', draft.action)
    .where('subject_id', '=', subjectId)
    .orderBy('decision_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Without fields that do not belong to it. */
function textOf(subject: Draft['subject']): string {
  if (subject.kind !== 'arrivals') return subject.id;
  const { kind, from, to, except } = subject;
  return JSON.stringify({ kind, from, to, except });
}
