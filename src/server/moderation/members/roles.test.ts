import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, staff, user } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Log, OwnDecisions } from '../../../shared/moderation.ts';
import type { Person as PublicPerson } from '../../../shared/people.ts';
import { readAudit } from '../../database/audit-log.ts';
import { dayMs } from '../../system/times.ts';
import { hasAdmin } from '../decisions/deciding-accounts.ts';
import { disableAccount, enableAccount } from './disable-account.ts';
import { linkToPassword } from './password-link.ts';

onBothEngines('roles', (forum, wait, engine) => {
  const give = ({ token }: Person, { id }: Pick<Person, 'id'>, role: string) =>
    forum().call('PUT', apiRoutes.userRole(id), { token, body: { role } });
  const link = ({ token }: Person, { id }: Pick<Person, 'id'>) =>
    forum().call('POST', apiRoutes.passwordLink(id), { token });
  const signedIn = async (person: Person): Promise<Person> => {
    const { token } = await forum().newSession(person);
    return { ...person, token };
  };

  test('the last admin keeps the role, even if two remove each other at once, and disabled or restricted admins do not count', async () => {
    const ada = await forum().person('Ada');
    await operate(forum(), 'role', ada.email, 'admin');
    await expectProblem(await give(ada, ada, 'member'), 409, 'last_admin');
    const body = { currentPassword: ada.password, content: 'erase' };
    const leaving = await forum().call('DELETE', apiRoutes.me, { token: ada.token, body });
    await expectProblem(leaving, 409, 'last_admin');
    await assert.rejects(operate(forum(), 'role', ada.email, 'member'), { code: 'last_admin' });
    const eva = await staff(forum(), 'admin');
    const answers = await Promise.all([give(ada, eva, 'member'), give(eva, ada, 'moderator')]);
    const statuses = answers.map(({ status }) => status).sort();
    // The other account is by then a member or a moderator, or the last admin.
    assert.ok(['204,403', '204,404', '204,409'].includes(String(statuses)), String(statuses));
    const { db } = forum().services;
    const admins = await db
      .selectFrom('accounts')
      .select('id')
      .where('role', '=', 'admin')
      .execute();
    assert.equal(admins.length, 1);
    for (const one of [ada, eva]) await operate(forum(), 'role', one.email, 'admin');
    await disableAccount({ ...forum().services, actorName: 'ada', note: '' }, eva.id);
    await expectProblem(await give(ada, ada, 'moderator'), 409, 'last_admin');
    await assert.rejects(operate(forum(), 'disable', ada.email), { code: 'last_admin' });
    const operator = { ...forum().services, actorName: 'ada', note: '' };
    await enableAccount(operator, eva.id);
    for (const action of ['silence', 'suspend'] as const) {
      const restrict = ({ id: accountId }: Person) => decideRow(forum(), { action, accountId });
      const restrictions = [await restrict(eva)];
      await expectProblem(await give(ada, ada, 'member'), 409, 'last_admin');
      assert.equal(await hasAdmin(db, forum().services.now()), true);
      restrictions.push(await restrict(ada));
      assert.equal(await hasAdmin(db, forum().services.now()), false);
      for (const undoes of restrictions) await decideRow(forum(), { action: 'undo', undoes });
    }
    assert.equal((await give(ada, ada, 'member')).status, 204);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('an account that is unknown or erased is refused, and the audit log has no entry', async () => {
    const { id } = await forum().person();
    const { db } = forum().services;
    await db.updateTable('accounts').set({ erased_at_ms: 1 }).where('id', '=', id).execute();
    const before = await readAudit(db, 100);
    const operator = { ...forum().services, actorName: 'ada', note: '' };
    for (const act of [linkToPassword, disableAccount, enableAccount])
      for (const accountId of [id, crypto.randomUUID(), 'x', ''])
        await assert.rejects(act(operator, accountId), { code: 'user_not_found' }, act.name);
    assert.deepEqual(await readAudit(db, 100), before);
  });

  test('a role counts from the next request on, and is shown beside the name', async () => {
    const [ada, person] = [await staff(forum(), 'admin'), await forum().person()];
    const channel = await forum().channel(person);
    await forum().comment(person, channel._id, 'Hola');
    const shown = async () => {
      const { role } = await forum().json<PublicPerson>('GET', apiRoutes.user(person.id));
      return [role, (await forum().allComments(channel._id))[0]?.autorRole];
    };
    assert.deepEqual(await shown(), [undefined, undefined]);
    assert.equal((await give(ada, person, 'moderator')).status, 204);
    assert.deepEqual(await shown(), ['moderator', 'moderator']);
    assert.equal((await forum().comment(person, channel._id, 'dos')).autorRole, 'moderator');
    await expectProblem(await give(person, person, 'admin'), 403, 'staff_only');
    assert.equal((await give(ada, person, 'member')).status, 204);
    assert.deepEqual(await shown(), [undefined, undefined]);
    for (const id of ['x', crypto.randomUUID()])
      await expectProblem(await give(ada, { id }, 'moderator'), 404, 'user_not_found');
    const eva = await staff(forum());
    await decided(forum(), eva, { subject: user(person), action: 'suspend' });
    await expectProblem(await give(ada, person, 'admin'), 403, 'staff_only');
  });

  test('an admin can make a link to a new password, except for staff, and a moderator cannot', async () => {
    const [eva, person] = [await staff(forum(), 'admin'), await forum().person()];
    const ada = await staff(forum(), 'admin');
    await expectProblem(await link(await staff(forum()), person), 403, 'staff_only');
    for (const other of [eva, ada, await staff(forum())])
      await expectProblem(await link(eva, other), 403, 'staff_only');
    const made = await link(eva, person);
    assert.equal(made.status, 201);
    const { url } = (await made.json()) as { url: string };
    const token = new URL(url).hash.slice(1);
    assert.ok(url.startsWith(`${forum().url}/password#`), url);
    const set = (token: string) =>
      forum().call('POST', apiRoutes.setPassword, { body: { token, password: 'otra larga' } });
    assert.ok((await set(token)).ok);
    await expectProblem(await set(token), 403, 'password_link_dead');
    const disabled = await forum().person();
    await disableAccount({ ...forum().services, actorName: 'ada', note: '' }, disabled.id);
    await expectProblem(await link(eva, disabled), 403, 'account_disabled');
    await expectProblem(await give(ada, disabled, 'moderator'), 403, 'staff_only');
  });

  test('a link to a new password is in the public log, and its owner reads it at each sign-in for 30 days', async () => {
    const [ada, person] = [await staff(forum(), 'admin'), await forum().person()];
    const reminder = async () => {
      const { token } = await signedIn(person);
      const told = await forum().json<{ passwordLinkAt: string | null }>(
        'POST',
        apiRoutes.recoveryReminder,
        { token },
      );
      return told.passwordLinkAt;
    };
    assert.equal(await reminder(), null);
    assert.equal((await link(ada, person)).status, 201);
    const log = await forum().json<Log>('GET', apiRoutes.log);
    assert.equal(log.data[0]?.action, 'passwordLink');
    const { token } = await signedIn(person);
    const own = await forum().json<OwnDecisions>('GET', apiRoutes.ownDecisions, { token });
    assert.deepEqual(
      own.data.map(({ action, reason }) => [action, reason]),
      [['passwordLink', '']],
    );
    assert.deepEqual([await reminder(), await reminder()], [log.data[0]?.at, log.data[0]?.at]);
    wait(31 * dayMs);
    assert.equal(await reminder(), null);
  });

  test('a link to a new password stays invalid when its maker may make links again', async () => {
    const ada = await staff(forum(), 'admin');
    const operator = { ...forum().services, actorName: 'ada', note: '' };
    type Lose = (maker: Person, owner: Person) => Promise<() => Promise<unknown>>;
    const losses: Record<string, Lose> = {
      'without the role': async (maker) => {
        await give(ada, maker, 'member');
        return () => give(ada, maker, 'admin');
      },
      disabled: async ({ id }) => {
        await disableAccount(operator, id);
        return () => enableAccount(operator, id);
      },
      'maker for one of the staff': async (_, owner) => {
        await give(ada, owner, 'moderator');
        return () => give(ada, owner, 'member');
      },
    };
    for (const [what, lose] of Object.entries(losses)) {
      const [maker, owner] = [await staff(forum(), 'admin'), await forum().person()];
      const { url } = (await (await link(maker, owner)).json()) as { url: string };
      const regain = await lose(maker, owner);
      const body = { token: new URL(url).hash.slice(1), password: 'otra larga' };
      for (const state of ['lost', 'regained']) {
        const used = await forum().call('POST', apiRoutes.setPassword, { body });
        assert.equal(used.status, 403, `${what}, ${state}`);
        if (state === 'lost') await regain();
      }
    }
  });
});
