import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { decideRow } from '../../../../test/forum/decide-row.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import type { Profile } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { boundsOfTables, correctTimes } from './correct-times.ts';
import { requireClock } from './require-clock.ts';

const dayMs = 86_400_000;
/** End times that moderators and admins set. */
const chosen = [
  ...['decisions.until_ms', 'invitations.ends_at_ms'],
  ...['starts_at_ms', 'ends_at_ms', 'remind_at_ms'].map((column) => `event_dates.${column}`),
];

onBothEngines('a start with a clock', (forum, wait) => {
  test('a clock more than a minute behind a session, a comment or a decision stops the start, which names the command', async () => {
    const { db, now } = forum().services;
    await requireClock(db, now());
    const before = now();
    const person = await forum().person();
    await requireClock(db, now() - 59_000);
    await assert.rejects(requireClock(db, before - 61_000), /admin correct-times/);
    await db.deleteFrom('sessions').execute();
    await requireClock(db, now() - dayMs);
    const { token } = await forum().newSession(person);
    await forum().channel({ ...person, token });
    await db.deleteFrom('sessions').execute();
    await assert.rejects(requireClock(db, before - 61_000), /The clock of this machine says/);
    await db.updateTable('channels').set({ active_at_ms: 1 }).execute();
    await requireClock(db, now() - dayMs);
    await decideRow(forum(), { action: 'hide', accountId: person.id });
    await assert.rejects(requireClock(db, before - 61_000), /The clock of this machine says/);
    await db.deleteFrom('decision_accounts').execute();
    await db.deleteFrom('decisions').execute();
  });

  test('a clock that was ahead is accepted once the times are corrected: no time is in the future, and a deletion is due after its days', async () => {
    wait(400 * dayMs);
    const person = await forum().person();
    const channel = await forum().channel(person);
    await forum().comment(person, channel._id, 'Hola');
    await askForDeletion(forum(), person, 'erase');
    wait(-400 * dayMs);
    const { db, now } = forum().services;
    await assert.rejects(requireClock(db, now()));
    assert.ok((await correctTimes(db, now())) > 0);
    await requireClock(db, now());
    const { token } = person;
    const { deletion } = await forum().json<Profile>('GET', apiRoutes.me, { token });
    assert.ok(Date.parse(deletion?.endsAt ?? '') <= now() + 30 * dayMs);
    const { comments } = await forum().json<{ comments: { createdAt: string }[] }>(
      'GET',
      apiRoutes.channel(channel._id),
    );
    assert.ok(Date.parse(comments[0]?.createdAt ?? '') <= now());
    assert.equal(await correctTimes(db, now()), 0);
  });

  test('the command corrects future times in every column', async () => {
    const tables = await forum().services.db.introspection.getTables();
    const times = tables
      .filter(({ isView }) => !isView)
      .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
      .filter((name) => /_ms$|\.expire$/.test(name) && !chosen.includes(name));
    const corrected = Object.entries(boundsOfTables).flatMap(([table, bounds]) =>
      Object.keys(bounds).map((column) => `${table}.${column}`),
    );
    assert.deepEqual(corrected.sort(), times.sort());
  });
});
