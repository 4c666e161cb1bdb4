import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecisionAction, Role } from '../../../shared/moderation.ts';
import { type Account, appealRefusalOf, refusalOf } from './may-decide.ts';

const account = (role: Role, id: string = role): Account => ({ id, role });
const content: DecisionAction[] = ['hide', 'dismiss', 'approve', 'reject'];
const restrictions: DecisionAction[] = ['silence', 'suspend', 'hideAll'];

/** The roles that may take these actions on an author or on the author's posts, and the roles that may undo them. */
const rules: [author: Role, actions: DecisionAction[], makes: Role[], undoes: Role[]][] = [
  ['member', [...content, ...restrictions], ['moderator', 'admin'], ['moderator', 'admin']],
  ['moderator', content, ['moderator', 'admin'], ['moderator', 'admin']],
  ['moderator', restrictions, ['admin'], ['admin']],
  ['admin', content, ['admin'], ['admin']],
  ['admin', restrictions, [], ['admin']],
];

const named = (roles: Role[]) => roles.join(' or ') || 'nobody';

for (const [author, actions, makes, undoes] of rules) {
  const decides = `decided by ${named(makes)}, undone by ${named(undoes)}`;
  test(`${actions.join(', ')} about ${author}s: ${decides}`, () => {
    for (const action of actions)
      for (const role of ['moderator', 'admin'] as const)
        for (const isUndo of [false, true]) {
          const refusal = refusalOf(account(role, 'caller'), account(author), action, isUndo);
          const allowed = isUndo ? undoes : makes;
          assert.equal(
            refusal === undefined,
            allowed.includes(role),
            `${role} ${action} ${isUndo}`,
          );
        }
  });
}

test('nobody decides about themselves', () => {
  for (const role of ['member', 'moderator', 'admin'] as const)
    for (const action of [...content, ...restrictions])
      for (const isUndo of [false, true])
        assert.equal(refusalOf(account(role), account(role), action, isUndo)?.code, 'staff_only');
});

test('an appeal is answered by somebody who did not decide, unless nobody else may', () => {
  const [eva, ida] = [account('moderator', 'eva'), account('moderator', 'ida')];
  const [ada, ana] = [account('admin', 'ada'), account('member', 'ana')];
  for (const [caller, author, action, staff, isAllowed] of [
    [eva, ana, 'hide', [eva, ida], false],
    [ida, ana, 'hide', [eva, ida], true],
    [eva, ana, 'hide', [eva], true],
    // Nobody decides about themselves, so the author is no other moderator.
    [eva, ida, 'hide', [eva, ida], true],
    // A moderator may not release another moderator.
    [eva, ida, 'suspend', [eva, ida], false],
    [ada, ida, 'suspend', [eva, ida, ada], true],
  ] as const) {
    const appealed = { action, decided_by: caller === ida ? 'eva' : caller.id };
    const refusal = appealRefusalOf(caller, author, appealed, [...staff]);
    assert.equal(refusal === undefined, isAllowed, JSON.stringify([caller, author, action, staff]));
  }
});
