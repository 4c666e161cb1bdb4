import Value from 'typebox/value';
import { limits } from '../../../../shared/limits.ts';
import { Role, type Subject } from '../../../../shared/moderation.ts';
import { decisionsInForce, restrictionsInForce } from '../../../accounts/standing/restrictions.ts';
import { ApiError } from '../../../http/api-error.ts';
import { decide } from '../../../moderation/decisions/decide.ts';
import { type Draft, parseDraft } from '../../../moderation/decisions/decision-draft.ts';
import { undo as undoDecision } from '../../../moderation/decisions/undo.ts';
import { setRole } from '../../../moderation/members/roles.ts';
import { OperatorError } from '../../../system/operator-error.ts';
import { parseContentId } from './content-commands.ts';
import { findAccounts } from './find-accounts.ts';
import { forEachOf } from './for-each-of.ts';
import type { AdminContext } from './with-admin.ts';

export async function hide(admin: AdminContext, ...ids: string[]): Promise<void> {
  await forEachOf(admin, contentsOf(ids), async (content, id) => {
    const decision = await decideOn(admin, 'hide', content);
    admin.print(
      `${id} is hidden. To show it again: show ${id}. To undo this decision: undo ${decision}`,
    );
  });
}

export async function show(admin: AdminContext, ...ids: string[]): Promise<void> {
  await forEachOf(admin, contentsOf(ids), async ({ kind, id }) => {
    const hiding = decisionsInForce(admin.db)
      .where('action', '=', 'hide')
      .where('subject_kind', '=', kind)
      .where('subject_id', '=', id);
    await undoAll(admin, await hiding.select('decisions.id').execute());
    admin.print(`No single decision about ${id} hides it any longer.`);
  });
}

export async function silence(admin: AdminContext, ...args: string[]): Promise<void> {
  const days = parseDays(args.at(-1) ?? '');
  const found = await findAccounts(admin.db, args.slice(0, -1));
  await forEachOf(admin, found, async ({ id, email }) => {
    const decision = await decideOn(admin, 'silence', { kind: 'user', id }, days);
    admin.print(`${email} can read, but not write, for ${days} days. To undo it: undo ${decision}`);
  });
}

/** A number as the last argument is the number of days. An account whose e-mail is a number is named by `email:…`. */
export async function suspend(admin: AdminContext, ...args: string[]): Promise<void> {
  const last = args.at(-1) ?? '';
  const days = args.length > 1 && /^\d+$/.test(last) ? parseDays(last) : undefined;
  const accounts = days === undefined ? args : args.slice(0, -1);
  const found = await findAccounts(admin.db, accounts);
  await forEachOf(admin, found, async ({ id, email }) => {
    const decision = await decideOn(admin, 'suspend', { kind: 'user', id }, days);
    const lasts = days === undefined ? '' : ` for ${days} days`;
    admin.print(
      `${email} is suspended${lasts}. Its channels and comments stay. To undo it: undo ${decision}`,
    );
  });
}

export async function release(admin: AdminContext, ...accounts: string[]): Promise<void> {
  const found = await findAccounts(admin.db, accounts);
  await forEachOf(admin, found, async ({ id, email }) => {
    const restricting = restrictionsInForce(admin.db, admin.now())
      .where('account_id', '=', id)
      .where('action', '<>', 'hideAll');
    await undoAll(admin, await restricting.select('decisions.id').execute());
    const { hidden_by } = await admin.db
      .selectFrom('accounts')
      .select('hidden_by')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    admin.print(
      hidden_by === null
        ? `${email} can write again.`
        : `All that ${email} wrote is hidden, and it cannot write yet. To change that: undo ${hidden_by}`,
    );
  });
}

export async function hideAll(admin: AdminContext, ...accounts: string[]): Promise<void> {
  const found = await findAccounts(admin.db, accounts);
  await forEachOf(admin, found, async ({ id, email }) => {
    const decision = await decideOn(admin, 'hideAll', { kind: 'user', id });
    admin.print(`All that ${email} wrote is hidden. To undo it: undo ${decision}`);
  });
}

export async function undo(admin: AdminContext, ...decisions: string[]): Promise<void> {
  await forEachOf(admin, new Map(decisions.map((id) => [id, id])), async (decision) => {
    await undoDecision(admin, decision, { reason: reasonOf(admin) });
    admin.print(`${decision} is undone.`);
  });
}

export async function changeRole(admin: AdminContext, ...args: string[]): Promise<void> {
  const role = args.at(-1);
  if (!Value.Check(Role, role)) throw new OperatorError('A role is member, moderator or admin.');
  const found = await findAccounts(admin.db, args.slice(0, -1));
  await forEachOf(admin, found, async ({ id, email }) => {
    await setRole(admin, id, role);
    admin.print(`${email} is ${role} from now on.`);
  });
}

/** @returns the id of the decision */
function decideOn(
  admin: AdminContext,
  action: Draft['action'],
  subject: Subject,
  days?: number,
): Promise<string> {
  const draft = { subject, action, reason: reasonOf(admin), ...(days !== undefined && { days }) };
  return decide(admin, parseDraft(draft));
}

/** Undoes decisions that are in force. @throws ApiError `already_decided` when there is none */
async function undoAll(admin: AdminContext, decisions: { id: string }[]): Promise<void> {
  if (decisions.length === 0) throw new ApiError('already_decided');
  for (const { id } of decisions) await undoDecision(admin, id, { reason: reasonOf(admin) });
}

const reasonOf = ({ note }: AdminContext) => note.trim() || 'Decisión de quien administra el foro.';

const contentsOf = (ids: string[]): Map<string, Subject> =>
  new Map(ids.map((id) => [id, { kind: parseContentId(id).kind, id }]));

function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  const longest = limits.restrictionDays;
  if (days < 1 || days > longest) {
    throw new OperatorError(`The days are a number from 1 to ${longest}.`);
  }
  return days;
}
