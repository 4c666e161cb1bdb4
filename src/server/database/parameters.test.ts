import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LogEvent, sql } from 'kysely';
import { fillAccount } from '../../../test/forum/fill-account.ts';
import { engines, Forum, type Person } from '../../../test/forum/forum.ts';
import { askForDeletion } from '../../../test/forum/leave-traces.ts';
import { decided, staff, undone } from '../../../test/forum/moderators.ts';
import { readZip, rowsIn } from '../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { sweepImages } from '../images/sweep-images.ts';
import { eraseExpired } from '../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../privacy/erasure/erase-account.ts';
import { openDatabase } from './engine.ts';

/** Batches have at most 500 keys, or 200 rows of three values. */
const mostParameters = 600;
const rows = mostParameters + 1;
const dayMs = 86_400_000;

for (const engine of engines)
  test(`a list read from the database never becomes parameters of a statement, of which SQLite permits 32,766 (${engine})`, async () => {
    const tooLong = new Set<string>();
    const log = ({ query }: LogEvent) => {
      if (query.parameters.length > mostParameters) tooLong.add(query.sql.slice(0, 200));
    };
    let aheadMs = 0;
    await using forum = await Forum.start(engine, {}, (config) => ({
      db: openDatabase(config, { log }),
      now: () => Date.now() + aheadMs,
    }));
    const { services } = forum;
    const moderator = await staff(forum);
    const author = await forum.person();
    const { _id: channelId } = await forum.channel(await forum.person());
    const opener = await forum.person();
    const ids = { accountId: author.id, openerId: opener.id, channelId };
    await fillAccount(services.db, { ...ids, nowMs: services.now() }, rows);
    if (engine === 'postgres') await sql`analyze`.execute(services.db);

    await readEverything(forum, author, moderator, channelId);
    const subject = { kind: 'users' as const, ids: [author.id, opener.id] };
    await undone(forum, moderator, await decided(forum, moderator, { subject, action: 'hideAll' }));
    aheadMs = 31 * dayMs;
    await eraseExpired(services);
    const { token } = await forum.newSession(author);
    await askForDeletion(forum, { ...author, token }, 'erase');
    await eraseDueAccounts({ ...services, now: () => services.now() + 15 * dayMs });
    await sweepImages(services);
    assert.deepEqual([...tooLong], []);
    const left = services.db.selectFrom('images').select('url').where('url', 'like', '%/version-%');
    assert.deepEqual(await left.execute(), []);
  });

/** Reads every list of the account's owner and of a moderator. */
async function readEverything(
  forum: Forum,
  { token }: Person,
  moderator: Person,
  channelId: string,
): Promise<void> {
  const { trash, notifications, ownReports, ownDecisions, pendingPosts, sessions } = apiRoutes;
  for (const url of [trash, notifications, ownReports, ownDecisions, pendingPosts, sessions])
    await forum.json('GET', url, { token });
  const { queue, members, log } = apiRoutes;
  const since = `from=${encodeURIComponent(new Date(Date.now() - dayMs).toISOString())}`;
  for (const url of [
    ...[queue, `${queue}?state=decided`, `${queue}?state=pending`, members, log],
    ...[apiRoutes.versions(channelId, 1), apiRoutes.thanks(channelId, 1)],
    `${apiRoutes.newAccounts}?${since}`,
    ...[
      apiRoutes.replies(channelId, 1),
      apiRoutes.channels,
      `${apiRoutes.users}?channel=${channelId}`,
    ],
  ])
    await forum.json('GET', url, { token: moderator.token });
  const answer = await forum.call('GET', apiRoutes.export, { token });
  const files = readZip(Buffer.from(await answer.arrayBuffer()));
  assert.equal(rowsIn(files, 'comentarios.jsonl').length, rows);
}
