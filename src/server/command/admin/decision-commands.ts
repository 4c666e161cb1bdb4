import Value from 'typebox/value';
import { type Action, Role, type Subject } from '../../../shared/moderation.ts';
import { decide } from '../../moderation/decide.ts';
import { parseDraft } from '../../moderation/draft.ts';
import { setRole } from '../../moderation/roles.ts';
import { undoDecision } from '../../moderation/undo.ts';
import { continueWaves } from '../../moderation/waves.ts';
import { OperatorError } from '../../operator-error.ts';
import { parseContentId } from './content-commands.ts';
import { findAccount } from './find-accounts.ts';
import type { AdminContext } from './with-admin.ts';

export async function hide(admin: AdminContext, id: string): Promise<void> {
  await decideOn(admin, 'hide', contentOf(id));
  admin.print(`Hidden. To show it again: show ${id}`);
}

export async function show(admin: AdminContext, id: string): Promise<void> {
  await decideOn(admin, 'restore', contentOf(id));
  admin.print('Shown again, or back in the bin of the author who had deleted it.');
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
  await decideOn(admin, 'release', { kind: 'user', id });
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
  await continueWaves(admin);
  admin.print(`All that ${email} wrote is hidden.`);
}

export async function undo(admin: AdminContext, decision: string): Promise<void> {
  await undoDecision(admin, decision);
  await continueWaves(admin);
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
  action: Action,
  subject: Subject,
  days?: number,
): Promise<void> {
  const reason = admin.note.trim() || 'Decisión de quien administra el foro.';
  const draft = { subject, action, reason, ...(days !== undefined && { days }) };
  const id = await decide(admin, parseDraft(draft));
  admin.print(`Decision ${id}. To undo it: undo ${id}`);
}

const contentOf = (id: string): Subject => ({ kind: parseContentId(id).kind, id });

function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 365) throw new OperatorError('The days are a number from 1 to 365.');
  return days;
}
