import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import { decisionsInForce } from '../../src/server/accounts/standing/restrictions.ts';
import { setRole } from '../../src/server/moderation/members/roles.ts';
import { toStoredText } from '../../src/server/texts/stored-text.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { commentId, parseCommentId } from '../../src/shared/comment-id.ts';
import type { Decision, DecisionSubject, Role, Subject } from '../../src/shared/moderation.ts';
import type { Forum, Person } from './forum.ts';

export interface Draft {
  subject: DecisionSubject;
  action: string;
  [more: string]: unknown;
}

/** Creates an account, to which the operator gives a role. */
export async function staff(forum: Forum, role: Role = 'moderator', name = 'Eva'): Promise<Person> {
  const person = await forum.person(name);
  await setRole({ ...forum.services, actorName: 'ada', note: '' }, person.id, role);
  return person;
}

export function decide(forum: Forum, { token }: Person, draft: Draft): Promise<Response> {
  const body = { reason: 'Es publicidad.', ...draft };
  return forum.call('POST', apiRoutes.decisions, { token, body });
}

/** Calls `decide` and asserts that it succeeds. */
export async function decided(forum: Forum, by: Person, draft: Draft): Promise<Decision> {
  const response = await decide(forum, by, draft);
  const body = await response.text();
  assert.equal(response.status, 201, body);
  return JSON.parse(body) as Decision;
}

/** @param appeal id of the appeal that the undo grants */
export const undo = (
  forum: Forum,
  { token }: Person,
  id: string,
  appeal?: string,
): Promise<Response> => {
  const body = { reason: 'Me equivoqué.', appeal };
  return forum.call('POST', apiRoutes.undoDecision(id), { token, body });
};

/** Calls `undo` and asserts that it succeeds. */
export async function undone(forum: Forum, by: Person, { id }: { id: string }): Promise<Decision> {
  const response = await undo(forum, by, id);
  const body = await response.text();
  assert.equal(response.status, 200, body);
  return JSON.parse(body) as Decision;
}

export const user = ({ id }: Pick<Person, 'id'>): Subject => ({ kind: 'user', id });
export const comment = (channelId: string, number: number): Subject => ({
  kind: 'comment',
  id: commentId(channelId, number),
});

/** Opens a case as reports do. @returns its id */
export async function openCase(forum: Forum, subject: Subject, accountId: string): Promise<string> {
  const id = uuidv7();
  const { db, now } = forum.services;
  await db
    .insertInto('cases')
    .values({
      id,
      subject_kind: subject.kind,
      subject_id: subject.id,
      account_id: accountId,
      text: toStoredText(''),
      images: '[]',
      revision: 1,
      report_count: 1,
      opened_at_ms: now(),
      decided_at_ms: null,
      decision_id: null,
    })
    .execute();
  return id;
}

/**
 * Stores an appeal, also for an account that could not sign in to send one.
 * @returns it as the subject of a decision
 */
export async function openAppeal(
  { services: { db, now } }: Forum,
  decisionId: string,
  accountId: string,
): Promise<{ kind: 'appeal'; id: string }> {
  const id = uuidv7();
  const row = { id, decision_id: decisionId, account_id: accountId, text: 'No es verdad' };
  await db
    .insertInto('appeals')
    .values({ ...row, at_ms: now(), answer: null })
    .execute();
  return { kind: 'appeal', id };
}

const admins = new WeakMap<Forum, Person>();

/** Signs an admin in for tests in which it does not matter who decides: one for each forum, made at the first call. */
async function anyAdmin(forum: Forum): Promise<Person> {
  const admin = admins.get(forum) ?? (await staff(forum, 'admin', 'Ada Lasa'));
  admins.set(forum, admin);
  return { ...admin, ...(await forum.newSession(admin)) };
}

/** Hides a channel or a comment, as an admin does. @param id of a comment: `<channel>-<number>` */
export async function hideContent(forum: Forum, id: string): Promise<Decision> {
  const kind = parseCommentId(id) ? 'comment' : 'channel';
  return decided(forum, await anyAdmin(forum), { subject: { kind, id }, action: 'hide' });
}

/** Undoes what hides a channel or a comment. */
export async function showContent(forum: Forum, id: string): Promise<void> {
  const hiding = decisionsInForce(forum.services.db)
    .select('decisions.id')
    .where('action', '=', 'hide')
    .where('subject_id', '=', id);
  for (const decision of await hiding.execute())
    await undone(forum, await anyAdmin(forum), decision);
}

/** Silences, suspends or hides an account, as an admin does. */
export async function restrictAccount(
  forum: Forum,
  account: Pick<Person, 'id'>,
  action: 'silence' | 'suspend' | 'hideAll',
  days?: number,
): Promise<Decision> {
  return decided(forum, await anyAdmin(forum), { subject: user(account), action, days });
}
