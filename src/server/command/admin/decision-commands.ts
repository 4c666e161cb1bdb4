import Value from 'typebox/value';
import { Role, type Subject } from '../../../shared/moderation.ts';
import { decisionsInForce, restrictionsInForce } from '../../accounts/restrictions.ts';
import { ApiError } from '../../http/api-error.ts';
import { decide } from '../../moderation/decide.ts';
import { type Draft, parseDraft } from '../../moderation/draft.ts';
import { setRole } from '../../moderation/roles.ts';
import { undo as undoDecision } from '../../moderation/undo.ts';
import { OperatorError } from '../../operator-error.ts';
import { parseContentId } from './content-commands.ts';
import { findAccount } from './find-accounts.ts';
import type { AdminContext } from './with-admin.ts';

export async function hide(admin: AdminContext, id: string): Promise<void> {
  await decideOn(admin, 'hide', contentOf(id));
  admin.print(`Hidden. To show it again: show ${id}`);
}

export async function show(admin: AdminContext, id: string): Promise<void> {
  const { kind } = contentOf(id);
  const hiding = decisionsInForce(admin.db)
    .where('action', '=', 'hide')
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id);
  await undoAll(admin, await hiding.select('decisions.id').execute());
  admin.print('No decision about it alone hides it any more.');
}

export async function silence(admin: AdminContext, who: string, days: string): Promise<void> {
  const { id, email } = await findAccount(admin.db, who);
  await decideOn(admin, 'silence', { kind: 'user', id }, parseDays(days));
  admin.print(`${email} can read, but not write, for ${days} days.`);
}

export async function suspend(admin: AdminContext, who: string, days?: string): Promise<void> {
  const { id, email } = await findAccount(admin.db, who);
  const lasts = days === undefined ? undefined : parseDays(days);
  await decideOn(admin, 'suspend', { kind: 'user', id }, lasts);
  admin.print(`${email} is suspended. Its channels and comments stay.`);
}

export async function release(admin: AdminContext, who: string): Promise<void> {
  const { id, email } = await findAccount(admin.db, who);
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
}

export async function hideAll(admin: AdminContext, who: string): Promise<void> {
  const { id, email } = await findAccount(admin.db, who);
  await decideOn(admin, 'hideAll', { kind: 'user', id });
  admin.print(`All that ${email} wrote is hidden.`);
}

export async function undo(admin: AdminContext, decision: string): Promise<void> {
  await undoDecision(admin, decision, { reason: reasonOf(admin) });
  admin.print('Undone.');
}

export async function changeRole(admin: AdminContext, who: string, role: string): Promise<void> {
  const { id, email } = await findAccount(admin.db, who);
  if (!Value.Check(Role, role)) throw new OperatorError('A role is member, moderator or admin.');
  await setRole(admin, id, role);
  admin.print(`${email} is ${role} from now on.`);
}

async function decideOn(
  admin: AdminContext,
  action: Draft['action'],
  subject: Subject,
  days?: number,
): Promise<void> {
  const draft = { subject, action, reason: reasonOf(admin), ...(days !== undefined && { days }) };
  const id = await decide(admin, parseDraft(draft));
  admin.print(`Decision ${id}. To undo it: undo ${id}`);
}

/** Undoes decisions that are in force. @throws ApiError `already_decided` when there is none */
async function undoAll(admin: AdminContext, decisions: { id: string }[]): Promise<void> {
  if (decisions.length === 0) throw new ApiError('already_decided');
  for (const { id } of decisions) await undoDecision(admin, id, { reason: reasonOf(admin) });
}

const reasonOf = ({ note }: AdminContext) => note.trim() || 'Decisión de quien administra el foro.';

const contentOf = (id: string): Subject => ({ kind: parseContentId(id).kind, id });

function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 365) throw new OperatorError('The days are a number from 1 to 365.');
  return days;
}
