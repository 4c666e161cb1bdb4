import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../../test/eventually.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { operate, passwordToken } from '../../../../test/forum/operator.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import type { SessionInfo, SessionList } from '../../../shared/account-settings.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Database } from '../../database/tables.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { maxDevices } from './devices.ts';
import { findAndExtendSession } from './session-guard.ts';
import { endSessions, maxSessions, openSession, resumeSession } from './sessions.ts';

const hourMs = 3_600_000;
const firefox = 'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0';
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36';

async function list(forum: Forum, token: string): Promise<SessionInfo[]> {
  return (await forum.json<SessionList>('GET', apiRoutes.sessions, { token })).data;
}

const end = (forum: Forum, token: string, id: string) =>
  forum.call('DELETE', apiRoutes.session(id), { token });
const status = async (forum: Forum, token: string) =>
  (await forum.call('GET', apiRoutes.me, { token })).status;

/**
 * Signs a person in on a remembered phone with two tabs, on a remembered computer, and in a tab on another computer.
 */
async function everywhere(forum: Forum) {
  const person = await forum.person();
  const phone = new RememberedBrowser(forum, firefox);
  const computer = new RememberedBrowser(forum, chrome);
  const tokens = {
    tab: person.token,
    phone: await phone.signIn(person),
    phoneTab: await phone.resumed(),
    computer: await computer.signIn(person),
  };
  const statuses = async () =>
    Promise.all(Object.values(tokens).map((token) => status(forum, token)));
  return { person, phone, computer, tokens, statuses };
}

async function audited(forum: Forum, { id }: Person): Promise<string[]> {
  const rows = await forum.services.db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('subject', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ actor, action }) => `${actor} ${action}`);
}

onEngine('sqlite', 'the sessions of an account', (forum, wait) => {
  /** Opens a session as the routes do, without a request. @returns its token */
  async function tokenFrom(
    open: (trx: Database, nowMs: number) => Promise<{ token: string } | undefined>,
  ): Promise<string> {
    const { withTransaction, now } = forum().services;
    return (await withTransaction('a session', (trx) => open(trx, now())))?.token ?? '';
  }

  test('are listed with the caller’s own first, and a remembered browser once for all its tabs', async () => {
    const { phone, tokens } = await everywhere(forum());
    const listed = await list(forum(), tokens.phoneTab);
    assert.deepEqual(
      listed.map(({ browser, isCurrent, isRemembered }) => [browser, isCurrent, isRemembered]),
      [
        ['Firefox en Android', true, true],
        ['Chrome en Linux', false, true],
        // Node's fetch sends no known browser name.
        ['Navegador desconocido', false, false],
      ],
    );
    for (const { id, createdAt, lastUsedAt } of listed) {
      assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.ok(createdAt <= lastUsedAt);
    }
    const text = JSON.stringify(listed);
    for (const secret of [phone.cookie.split('=')[1] ?? '', ...Object.values(tokens)]) {
      assert.ok(!text.includes(secret));
    }
    const others = await list(forum(), tokens.tab);
    assert.deepEqual(
      others.map(({ isCurrent, isRemembered }) => [isCurrent, isRemembered]),
      [
        [true, false],
        [false, true],
        [false, true],
      ],
    );
  });

  test('keep a session in use and its browser, and those of others, however many unused ones are opened within an hour', async () => {
    const [person, other] = [await forum().person(), await forum().person()];
    const mine = new RememberedBrowser(forum());
    const remembered = await mine.signIn(person);
    wait(1000);
    for (const token of [person.token, remembered]) assert.equal(await status(forum(), token), 200);
    const others: string[] = [];
    for (let i = 0; i < maxSessions; i++) {
      wait(1000);
      const account = { accountId: person.id, browser: '', isRemembered: i < maxDevices };
      others.push(await tokenFrom((trx, nowMs) => openSession(trx, account, nowMs, 30)));
    }
    const statuses: number[] = [];
    for (const token of [person.token, remembered, others[0], others[1], others.at(-1)]) {
      statuses.push(await status(forum(), token ?? ''));
    }
    assert.deepEqual(statuses, [200, 200, 401, 401, 200]);
    assert.equal(await status(forum(), other.token), 200);
    assert.equal((await mine.resume()).status, 200);
  });

  test('a remembered browser that opens many sessions loses its own oldest ones before those of other browsers', async () => {
    const person = await forum().person();
    assert.equal(await status(forum(), person.token), 200);
    const stolen = new RememberedBrowser(forum());
    const first = await stolen.signIn(person);
    const { db, now } = forum().services;
    const value = stolen.cookie.slice('tertulia='.length);
    const cookie = { value, accountId: person.id, browser: '' };
    for (let i = 0; i < maxSessions; i++) {
      wait(1000);
      const token = await tokenFrom((trx, nowMs) => resumeSession(trx, cookie, nowMs, 30));
      assert.ok(await findAndExtendSession(db, token, now(), 30));
    }
    assert.equal(await status(forum(), person.token), 200);
    assert.equal(await status(forum(), first), 401);
  });

  test('record their first use, and then one use an hour', async () => {
    const { tokens } = await everywhere(forum());
    wait(1000);
    assert.equal(await status(forum(), tokens.phone), 200);
    const times = async () =>
      Object.fromEntries((await list(forum(), tokens.tab)).map((one) => [one.browser, one]));
    const first = await times();
    wait(hourMs - 1000);
    assert.equal(await status(forum(), tokens.phone), 200);
    assert.deepEqual(await times(), first);
    wait(1000);
    assert.equal(await status(forum(), tokens.phone), 200);
    const later = await times();
    const name = 'Firefox en Android';
    const passed =
      Date.parse(later[name]?.lastUsedAt ?? '') - Date.parse(first[name]?.lastUsedAt ?? '');
    assert.ok(passed >= hourMs && passed < hourMs + 60_000, String(passed));
    assert.equal(later[name]?.createdAt, first[name]?.createdAt);
    assert.deepEqual(later['Chrome en Linux'], first['Chrome en Linux']);
  });

  test('all sessions of a remembered browser end together, and the browser is no longer remembered', async () => {
    const { person, phone, tokens, statuses } = await everywhere(forum());
    const listed = await list(forum(), tokens.tab);
    const phoneId = listed.find(({ browser }) => browser.startsWith('Firefox'))?.id ?? '';
    assert.equal((await end(forum(), tokens.tab, phoneId)).status, 204);
    assert.deepEqual(await statuses(), [200, 401, 401, 200]);
    await expectProblem(await phone.resume(), 401, 'not_remembered');
    await expectProblem(await end(forum(), tokens.tab, phoneId), 404, 'session_not_found');
    const own = (await list(forum(), tokens.tab)).find(({ isCurrent }) => isCurrent)?.id ?? '';
    assert.equal((await end(forum(), tokens.computer, own)).status, 204);
    assert.deepEqual(await statuses(), [401, 401, 401, 200]);
    assert.deepEqual(await audited(forum(), person), ['owner end-session', 'owner end-session']);
  });

  test('can all be ended except the caller’s own, whose remembered browser stays', async () => {
    const { person, phone, computer, tokens, statuses } = await everywhere(forum());
    const stranger = await forum().person();
    const endOthers = (token: string) => forum().call('DELETE', apiRoutes.sessions, { token });
    for (let i = 0; i < 2; i++) assert.equal((await endOthers(tokens.phone)).status, 204);
    assert.deepEqual(await statuses(), [401, 200, 200, 401]);
    await expectProblem(await computer.resume(), 401, 'not_remembered');
    assert.equal(await status(forum(), await phone.resumed()), 200);
    assert.equal((await list(forum(), tokens.phone)).length, 1);
    assert.equal(await status(forum(), stranger.token), 200);
    assert.deepEqual(await audited(forum(), person), ['owner end-other-sessions']);
    await expectProblem(await endOthers(tokens.tab), 401, 'not_signed_in');
  });

  test('sessions of another account can neither be seen nor ended', async () => {
    const { tokens, statuses } = await everywhere(forum());
    const stranger = await forum().person();
    const sessions = await list(forum(), tokens.tab);
    assert.equal(sessions.length, 3);
    for (const { id } of sessions) {
      await expectProblem(await end(forum(), stranger.token, id), 404, 'session_not_found');
    }
    for (const id of ['x', 'ñ'.repeat(100), 'x'.repeat(1000), tokens.phone]) {
      assert.equal((await end(forum(), tokens.tab, id)).status, 404, id);
    }
    assert.deepEqual(await statuses(), [200, 200, 200, 200]);
    assert.equal((await list(forum(), stranger.token)).length, 1);
  });

  for (const command of ['disable', 'password'])
    test(`all end by the operator's ${command}`, async () => {
      const { person, phone, statuses } = await everywhere(forum());
      if (command === 'disable') {
        await operate(forum(), 'disable', person.email);
        // They stay ended.
        await operate(forum(), 'enable', person.email);
      } else {
        const token = await passwordToken(forum(), person.email);
        await forum().json('POST', apiRoutes.setPassword, { body: { token, password: 'nueva' } });
      }
      assert.deepEqual(await statuses(), [401, 401, 401, 401]);
      await expectProblem(await phone.resume(), 401, 'not_remembered');
    });
});

// On SQLite, transactions run one after the other.
onEngine('postgres', 'the sessions of an account', (forum) => {
  test('cannot both end when two end each other at once', async () => {
    const person = await forum().person();
    for (let i = 0; i < 3; i++) {
      const browser = new RememberedBrowser(forum());
      const tokens = [await browser.signIn(person), await browser.signIn(person)];
      const answers = await Promise.all(
        tokens.map((token) => forum().call('DELETE', apiRoutes.sessions, { token })),
      );
      assert.deepEqual(answers.map((one) => one.status).sort(), [204, 401]);
      const left = await Promise.all(tokens.map((token) => status(forum(), token)));
      assert.deepEqual(left.sort(), [200, 401]);
    }
  });
});

test('sessions ended by one process end on the others within a second', async (t) => {
  const forum = await Forum.start('postgres');
  const other = await forum.another();
  t.after(async () => {
    await other.stop();
    await forum.stop();
  });
  const { phone, tokens } = await everywhere(forum);
  // Both processes have just served these sessions.
  for (const token of Object.values(tokens)) assert.equal(await status(other, token), 200);
  const [own] = await list(forum, tokens.phone);
  assert.equal((await end(forum, tokens.tab, own?.id ?? '')).status, 204);
  await eventually(
    'the sessions have ended',
    async () => (await status(other, tokens.phoneTab)) === 401,
    1000,
  );
  await expectProblem(await phone.copy(other).resume(), 401, 'not_remembered');
  assert.equal(await status(other, tokens.computer), 200);
});

test('a session that another process opens while the password is being changed is ended', async (t) => {
  const forum = await Forum.start('postgres');
  const other = await forum.another();
  t.after(async () => {
    await other.stop();
    await forum.stop();
  });
  const person = await forum.person();
  const browser = new RememberedBrowser(other);
  await browser.signIn(person);
  const { db } = forum.services;
  const isWaiting = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()
    `.execute(db);
    return rows.length > 0;
  };
  for (const open of [() => browser.resume(), () => other.signIn(person.email, person.password)]) {
    let opening = Promise.resolve(new Response());
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('accounts')
        .set({ password_hash: await hashPassword('otra') })
        .where('id', '=', person.id)
        .execute();
      await endSessions(trx, person.id);
      let isOpen = false;
      opening = open().finally(() => {
        isOpen = true;
      });
      await eventually('it waits for the change', async () => isOpen || (await isWaiting()));
    });
    assert.equal((await opening).status, 401);
    const left = await db
      .selectFrom('sessions')
      .select('id')
      .where('account_id', '=', person.id)
      .execute();
    assert.deepEqual(left, []);
    const hash = await hashPassword(person.password);
    await db
      .updateTable('accounts')
      .set({ password_hash: hash })
      .where('id', '=', person.id)
      .execute();
  }
});
