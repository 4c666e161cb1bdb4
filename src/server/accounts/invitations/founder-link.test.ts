import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { onBothEngines, onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { restrictAccount, staff } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { News } from '../../../shared/people.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import type { InvitedBy, MadeInvitation } from '../../../shared/site-settings.ts';
import { readAudit } from '../../database/audit-log.ts';
import { dayMs } from '../../system/times.ts';

const password = 'clave larga';
const line = /espera a quien lo va a administrar/;

const signUp = (forum: Forum, invitation?: string, email = `${randomUUID()}@ejemplo.es`) =>
  forum.call('POST', apiRoutes.signUp, { body: { name: 'Marga', email, password, invitation } });

/** Prints a new link for the founder. @returns its code */
async function founderCode(forum: Forum): Promise<string> {
  const said = await operate(forum, 'founder');
  return /\/register#([\w-]{22})\n/.exec(said)?.[1] ?? '';
}

async function signedIn(forum: Forum, email: string): Promise<string> {
  const answer = await forum.signIn(email, password);
  return ((await answer.json()) as { token: string }).token;
}

const roleOf = async (forum: Forum, email: string) => {
  const token = await signedIn(forum, email);
  return (await forum.json<News>('GET', apiRoutes.news, { token })).role;
};

async function makeAllMembers({ services: { db, live } }: Forum): Promise<void> {
  await db.updateTable('accounts').set({ role: 'member' }).execute();
  live.publishGap();
}

const asked = (forum: Forum, invitation: string) =>
  forum.call('POST', apiRoutes.invitedBy, { body: { invitation } });

onBothEngines("the founder's link", (forum, wait) => {
  const pageText = async (path: string) => (await forum().call('GET', path)).text();

  test('makes one account the admin, in every registration mode, and pages no longer wait for it', async () => {
    for (const registration of ['open', 'invitation', 'request', 'closed'] as const) {
      await changeSettings(forum(), { registration });
      for (const path of [pageRoutes.home, pageRoutes.register])
        assert.match(await pageText(path), line);
      const code = await founderCode(forum());
      const answer = await asked(forum(), code);
      const target = pageRoutes.siteSettings;
      const from: InvitedBy = { name: null, email: null, target, words: null };
      assert.deepEqual(await answer.json(), from);
      const email = `${registration}@ejemplo.es`;
      assert.equal((await signUp(forum(), code, email)).status, 201);
      assert.equal(await roleOf(forum(), email), 'admin');
      for (const path of [pageRoutes.home, pageRoutes.register])
        assert.doesNotMatch(await pageText(path), line);
      // The answer to the first may have been lost.
      await expectProblem(await signUp(forum(), code, email), 409, 'email_taken');
      const again = await signUp(forum(), code);
      assert.equal(again.status, 403, registration);
      await expectProblem(await asked(forum(), code), 403, 'invitation_required');
      const entries = await readAudit(forum().services.db, 1);
      assert.deepEqual([entries[0]?.actor, entries[0]?.action], ['founder link', 'make-admin']);
      await makeAllMembers(forum());
    }
    await changeSettings(forum(), {});
  });

  test('is ended by a newer one, by a day, and by an admin made otherwise, even once that one is erased', async () => {
    const older = await founderCode(forum());
    const code = await founderCode(forum());
    await expectProblem(await signUp(forum(), older), 403, 'invitation_required');
    wait(dayMs);
    await expectProblem(await signUp(forum(), code), 403, 'invitation_required');
    const last = await founderCode(forum());
    // Without the link, an account is a plain member's.
    const { email } = await forum().person();
    await operate(forum(), 'role', email, 'admin');
    await expectProblem(await signUp(forum(), last), 403, 'invitation_required');
    await assert.rejects(operate(forum(), 'founder'), /Somebody administers this site already/);
    // No command erases the last admin; a start does, whose ledger lists an account of a restored backup.
    const { db, live, now } = forum().services;
    await db
      .updateTable('accounts')
      .set({ erased_at_ms: now() })
      .where('email', '=', email)
      .execute();
    live.publishGap();
    await expectProblem(await signUp(forum(), last), 403, 'invitation_required');
    assert.match(await pageText(pageRoutes.home), line);
    const afterwards = `${randomUUID()}@ejemplo.es`;
    assert.equal((await signUp(forum(), await founderCode(forum()), afterwards)).status, 201);
    assert.equal(await roleOf(forum(), afterwards), 'admin');
  });
});

test('of ten people who use the link at once at two processes, one becomes the admin, and both show it', async () => {
  await using forum = await Forum.start('postgres');
  await using other = await forum.another();
  await eventually('both listen', async () =>
    [forum, other].every(({ services }) => services.live.isListening),
  );
  const shows = async (one: Forum) => line.test(await (await one.call('GET', '/')).text());
  assert.deepEqual([await shows(forum), await shows(other)], [true, true]);
  const code = await founderCode(forum);
  const tries = Array.from({ length: 10 }, (_, i) => signUp(i % 2 ? forum : other, code));
  const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, ...Array(9).fill(403)]);
  const { db } = forum.services;
  const accounts = await db.selectFrom('accounts').select('role').execute();
  assert.deepEqual(accounts, [{ role: 'admin' }]);
  for (const one of [forum, other])
    await eventually('it is shown', async () => !(await shows(one)));
});

onEngine('sqlite', 'an invitation', (forum) => {
  const invited = async ({ token }: Person) => {
    const made = { token, body: {} };
    const { url, id } = await forum().json<MadeInvitation>('POST', apiRoutes.invitations, made);
    return { code: new URL(url).hash.slice(1), id };
  };

  test('says who invites and where it leads, to pages of this site only', async () => {
    const { code } = await invited(await forum().person('Marga Soler'));
    const targetOf = async (path: string) => {
      const answer = await asked(forum(), code + path);
      const { name, target } = (await answer.json()) as InvitedBy;
      assert.deepEqual([answer.status, name], [200, 'Marga Soler'], path);
      return target;
    };
    assert.equal(await targetOf(''), null);
    for (const path of ['/channel/x', '/channel/x?n=4#comentario-4'])
      assert.equal(await targetOf(path), path);
    for (const path of [
      ...['//mal.example', '/\\mal.example', '/\t/mal.example', '/../x', '/x y', '/\u200b//x'],
      '///mal.example/channel/x',
    ])
      assert.equal(await targetOf(path), null, path);
  });

  test('answers every code that lets nobody in alike', async () => {
    const [ana, silenced] = [await forum().person(), await forum().person()];
    const [revoked, used, ofSilenced, fine] = await Promise.all(
      [ana, ana, silenced, ana].map(invited),
    );
    await forum().json('DELETE', apiRoutes.invitation(revoked?.id ?? ''), ana);
    await signUp(forum(), used?.code);
    await restrictAccount(forum(), silenced, 'silence', 3);
    const answers = new Set<string>();
    const codes = [revoked, used, ofSilenced].map((one) => one?.code ?? '');
    for (const code of [...codes, '', 'x', '/channel/x', 'a'.repeat(2000), `${fine?.code}x`]) {
      const answer = await asked(forum(), code);
      answers.add(await answer.clone().text().then(withoutInstance));
      await expectProblem(answer, 403, 'invitation_required');
    }
    assert.equal(answers.size, 1);
    assert.equal((await asked(forum(), fine?.code ?? '')).status, 200);
    await staff(forum(), 'admin');
    await changeSettings(forum(), { registration: 'closed' });
    await expectProblem(await asked(forum(), fine?.code ?? ''), 403, 'invitation_required');
  });
});

/** A problem without the id of its request. */
const withoutInstance = (problem: string) => problem.replace(/"instance":"[^"]*"/, '');
