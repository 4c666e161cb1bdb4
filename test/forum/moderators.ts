import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import { setRole } from '../../src/server/moderation/roles.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import type { Decision, Role, Subject } from '../../src/shared/moderation.ts';
import type { Forum, Person } from './forum.ts';

export interface Draft {
  subject: Subject | { kind: 'arrivals'; from: string; to: string; except: string[] };
  action: string;
  [more: string]: unknown;
}

/** A new account with a role, which the operator gives. */
export async function staff(forum: Forum, role: Role = 'moderator', name = 'Eva'): Promise<Person> {
  const person = await forum.person(name);
  await setRole({ ...forum.deps, actor: 'ada', note: '' }, person.id, role);
  return person;
}

export function decide(forum: Forum, { token }: Person, draft: Draft): Promise<Response> {
  const body = { reason: 'Es publicidad.', ...draft };
  return forum.call('POST', apiRoutes.decisions, { token, body });
}

/** As `decide`, when it must succeed. */
export async function decided(forum: Forum, by: Person, draft: Draft): Promise<Decision> {
  const response = await decide(forum, by, draft);
  const body = await response.text();
  assert.equal(response.status, 201, body);
  return JSON.parse(body) as Decision;
}

export const undo = (forum: Forum, { token }: Person, id: string): Promise<Response> =>
  forum.call('POST', apiRoutes.undoDecision(id), { token });

export async function undone(forum: Forum, by: Person, { id }: { id: string }): Promise<void> {
  const response = await undo(forum, by, id);
  assert.equal(response.status, 200, await response.text());
}

export const user = ({ id }: Pick<Person, 'id'>): Subject => ({ kind: 'user', id });
export const comment = (channelId: string, number: number): Subject => ({
  kind: 'comment',
  id: commentId(channelId, number),
});

/** Opens a case as reports or an appeal do. @returns its id */
export async function openCase(
  forum: Forum,
  subject: Subject,
  accountId: string,
  appealOf: string | null = null,
): Promise<string> {
  const id = uuidv7();
  const { db, now } = forum.deps;
  if (appealOf !== null) {
    await db
      .updateTable('decision_accounts')
      .set({ appealed_at_ms: now() })
      .where('decision_id', '=', appealOf)
      .where('account_id', '=', accountId)
      .execute();
  }
  await db
    .insertInto('cases')
    .values({
      ...{ id, subject_kind: subject.kind, subject_id: subject.id, account_id: accountId },
      ...{ appeal_of: appealOf, text: '', images: '[]', revision: 1, report_count: 1 },
      ...{ opened_at_ms: now(), decided_at_ms: null, decision_id: null },
    })
    .execute();
  return id;
}
