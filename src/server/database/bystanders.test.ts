import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { fillTables } from '../../../test/forum/fill-tables.ts';
import { Forum } from '../../../test/forum/forum.ts';
import { askForDeletion } from '../../../test/forum/leave-traces.ts';
import { comment, decided, staff, undone, user } from '../../../test/forum/moderators.ts';
import { operate } from '../../../test/forum/operator.ts';
import { RememberedBrowser } from '../../../test/forum/remembered-browser.ts';
import { preparedRoutes, prepareWrite } from '../../../test/forum/write-requests.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { eraseDueAccounts } from '../privacy/erasure/erase-account.ts';
import { dayMs } from '../system/times.ts';

/** Tables whose rows belong to nobody, or that every change of a text may rewrite. */
const ofNobody = /^(search_|sqlite_|site|rate_limits|audit_log|report_secret|kysely)/;

/** Keeps a copy of each of the other tables. @returns how to read what is missing since then, as JSON after the table's name */
async function keepRows({ services: { db } }: Forum): Promise<() => Promise<string[]>> {
  const { rows } = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table'`.execute(db);
  const tables = rows.map(({ name }) => name).filter((name) => !ofNobody.test(name));
  const copyOf = (table: string) => sql.table(`kept_${table}`);
  for (const table of tables)
    await sql`create table ${copyOf(table)} as select * from ${sql.table(table)}`.execute(db);
  return async () => {
    const missing: string[] = [];
    for (const table of tables) {
      const lost = sql`select * from ${copyOf(table)} except select * from ${sql.table(table)}`;
      const found = await lost.execute(db);
      missing.push(...found.rows.map((row) => `${table} ${JSON.stringify(row)}`));
    }
    return missing;
  };
}

test('no request of one account, and nothing that is done to it, changes a row of another', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'foro@foro.example' };
  let aheadMs = 0;
  await using forum = await Forum.start(
    'sqlite',
    { PUBLIC_URL: 'https://foro.example', ...mail },
    { now: () => Date.now() + aheadMs },
  );
  await fillTables(forum, { accounts: 200, channels: 20, comments: 200, longest: 20 });
  const missing = await keepRows(forum);
  const [guest, eva] = [await forum.person('Bea'), await staff(forum)];
  const newWorld = async () => {
    const author = await forum.person('Ana');
    const channel = await forum.channel(author);
    await forum.comment(author, channel._id, 'Hola');
    return { near: forum, far: forum, author, channel, guest };
  };
  const { author, channel } = await newWorld();
  const decide =
    (subject: Parameters<typeof decided>[2]['subject'], action: string) => async () => {
      await undone(forum, eva, await decided(forum, eva, { subject, action, days: 7 }));
      return new Response();
    };
  const changes: [what: string, change: () => Promise<Response>][] = [
    ...[...preparedRoutes, 'POST /api/auth/sign-out'].map(
      (route): [string, () => Promise<Response>] => [
        route,
        async () => (await prepareWrite(route, await newWorld()))(),
      ],
    ),
    [
      'a new password in a remembered browser',
      async () => {
        const { author } = await newWorld();
        const browser = new RememberedBrowser(forum);
        const token = await browser.signIn(author);
        const body = { currentPassword: author.password, password: 'otra contraseña' };
        return browser.call('PATCH', apiRoutes.me, { token, body });
      },
    ],
    ['hide a comment', decide(comment(channel._id, 1), 'hide')],
    ['hide a channel', decide({ kind: 'channel', id: channel._id }, 'hide')],
    ['silence', decide(user(author), 'silence')],
    ['suspend', decide(user(author), 'suspend')],
    ['hide all', decide(user(author), 'hideAll')],
    [
      'disable, enable and erase',
      async () => {
        await operate(forum, 'disable', author.email);
        await operate(forum, 'enable', author.email);
        await askForDeletion(forum, { ...author, ...(await forum.newSession(author)) }, 'erase');
        for (const days of [15, 1]) {
          aheadMs += days * dayMs;
          await eraseDueAccounts(forum.services);
        }
        return new Response();
      },
    ],
  ];
  for (const [what, change] of changes) {
    const response = await change();
    assert.ok(response.ok, `${what}: ${response.status} ${await response.text()}`);
    assert.deepEqual(await missing(), [], what);
  }
});
