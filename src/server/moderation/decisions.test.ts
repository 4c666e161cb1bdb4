import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { expectProblem, type Forum, type Person } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { Decision, Role } from '../../shared/moderation.ts';
import { setRole } from './roles.ts';

/** A new account with a role. */
async function staff(forum: Forum, role: Role = 'moderator'): Promise<Person> {
  const person = await forum.person('Eva');
  await setRole({ ...forum.deps, actor: 'ada', note: '' }, person.id, role);
  return person;
}

const decide = (forum: Forum, { token }: Person, body: Record<string, unknown>) =>
  forum.call('POST', apiRoutes.decisions, { token, body: { reason: 'Es publicidad.', ...body } });

async function decided(forum: Forum, by: Person, body: Record<string, unknown>): Promise<Decision> {
  const response = await decide(forum, by, body);
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as Decision;
}

const undo = (forum: Forum, { token }: Person, id: string) =>
  forum.call('POST', apiRoutes.undoDecision(id), { token });

onBothEngines('decisions', (forum) => {
  test('a comment is hidden, restored, and hidden again by undoing', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(author);
    await forum().comment(author, _id, 'uno');
    const subject = { kind: 'comment', id: commentId(_id, 1) };
    const texts = async () => (await forum().allComments(_id)).map(({ comment }) => comment);
    const hidden = await decided(forum(), eva, { subject, action: 'hide' });
    assert.deepEqual(
      [hidden.decidedBy, hidden.category, hidden.reason, hidden.accounts, hidden.remaining],
      ['Eva', 'other', 'Es publicidad.', 1, 0],
    );
    assert.deepEqual(await texts(), []);
    const again = await decide(forum(), eva, { subject, action: 'hide' });
    const problem = await expectProblem(again, 409, 'already_decided');
    assert.equal(problem.decision?.id, hidden.id);
    const restored = await decided(forum(), eva, { subject, action: 'restore' });
    assert.deepEqual(await texts(), ['uno']);
    assert.equal((await undo(forum(), eva, restored.id)).status, 200);
    assert.deepEqual(await texts(), []);
    assert.equal((await undo(forum(), eva, hidden.id)).status, 200);
    assert.deepEqual(await texts(), ['uno']);
    await expectProblem(await undo(forum(), eva, hidden.id), 409, 'already_decided');
  });

  test('a wave hides and silences, and is undone as a whole', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const { _id } = await forum().channel(await forum().person());
    const own = await forum().channel(author);
    for (const text of ['uno', 'dos', 'tres']) await forum().comment(author, _id, text);
    const subject = { kind: 'user', id: author.id };
    const wave = await decided(forum(), eva, { subject, action: 'hideAll' });
    assert.equal((await forum().allComments(_id)).length, 0);
    assert.equal((await forum().call('GET', apiRoutes.channel(own._id))).status, 404);
    const refused = await forum().call('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: _id, comment: 'cuatro' },
    });
    await expectProblem(refused, 403, 'silenced');
    assert.equal((await undo(forum(), eva, wave.id)).status, 200);
    await forum().comment(author, _id, 'cuatro');
  });
});
