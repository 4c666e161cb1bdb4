import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../../test/eventually.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { isPostgres } from '../../../../test/postgres/is-postgres.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { createPasswordLink } from '../../accounts/recovery/password-links.ts';
import type { Database } from '../../database/tables.ts';
import { addToLedger, hashAccount } from '../../privacy/erasure/erasure-ledger.ts';
import { startIndexBuilder } from '../../search-index/index-builder.ts';
import { isIndexComplete } from '../../search-index/index-state.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { openSite } from '../start/open-site.ts';
import { attemptErasures, runHousekeeping } from './housekeeping.ts';

/** Makes the database reject a kind of change. @param change such as `delete on sessions` */
async function breakRows(db: Database, change: string, when = '') {
  const trigger = `broken_${change.split(' ').at(-1)}`;
  if (isPostgres(db)) {
    await sql`
      create or replace function broken() returns trigger language plpgsql as
        $$ begin raise exception 'broken row'; end $$
    `.execute(db);
    await sql
      .raw(
        `create trigger ${trigger} before ${change} for each row ${when} execute function broken()`,
      )
      .execute(db);
  } else {
    const body = `begin select raise(abort, 'broken row'); end`;
    await sql.raw(`create trigger ${trigger} before ${change} ${when} ${body}`).execute(db);
  }
}

const mend = (db: Database, table: string) =>
  sql.raw(`drop trigger broken_${table}${isPostgres(db) ? ` on ${table}` : ''}`).execute(db);

test('an account that cannot be erased stops neither the start nor the erasure of others', async () => {
  await using folder = await temporaryFolder('broken');
  const env = { DATA_DIR: folder.path };
  const former = await Forum.start('sqlite', env);
  const people = [await former.person(), await former.person(), await former.person()] as const;
  const [first, broken, last] = people;
  const { config, ledgerFolder } = former.services;
  // The database lacks these erasures, like an older copy of it.
  const erasures = people.map(({ id }) => ({
    kind: 'erased' as const,
    accountHash: hashAccount(id),
  }));
  await addToLedger(
    ledgerFolder,
    erasures.map((one) => ({ ...one, content: 'erase' as const })),
  );
  await breakRows(
    former.services.db,
    'update of email_key on accounts',
    `when (old.id = '${broken.id}')`,
  );
  await former.stop();

  const printed: string[] = [];
  const services = await openSite(config, {}, (line) => printed.push(line));
  await services.close();
  assert.match(printed.join('\n'), /^erasing accounts failed; it is repeated: .*broken row$/);

  await using forum = await Forum.start('sqlite', env);
  const { db } = forum.services;
  for (const { email } of [first, last]) assert.deepEqual(await findText(forum, email), []);
  assert.equal((await forum.signIn(broken.email, broken.password)).status, 401);
  await mend(db, 'accounts');
  await attemptErasures(forum.services, forum.app.log);
  assert.deepEqual(await findText(forum, broken.email), []);
});

test('a server starts without a search index and prepares it later', async () => {
  await using folder = await temporaryFolder('broken');
  const env = { DATA_DIR: folder.path };
  const former = await Forum.start('sqlite', env);
  await former.channel(await former.person());
  await former.services.db.deleteFrom('search_state').execute();
  await breakRows(former.services.db, 'insert on search_state');
  await former.stop();

  await using forum = await Forum.start('sqlite', env);
  const { db } = forum.services;
  assert.equal(await isIndexComplete(db), false);
  await mend(db, 'search_state');
  const stop = startIndexBuilder(forum.services, forum.app.log);
  await eventually('the index is complete', () => isIndexComplete(db));
  await stop();
});

for (const engine of engines) {
  test(`a comment, channel or version in the trash that cannot be erased does not stop the erasure of others (${engine})`, async () => {
    let aheadMs = 0;
    await using forum = await Forum.start(engine, {}, { now: () => Date.now() + aheadMs });
    const { db } = forum.services;
    const ana = await forum.person();
    const { _id } = await forum.channel(ana);
    const comments = [1, 2, 3, 4].map((number) => apiRoutes.channelComment(_id, number));
    const headers = { 'if-match': '"1"' };
    const channels = [await forum.channel(ana), await forum.channel(ana)];
    for (const url of comments) {
      await forum.comment(ana, _id, 'Hola');
      if (comments.indexOf(url) < 2) await forum.json('DELETE', url, ana);
      else await forum.json('PATCH', url, { ...ana, headers, body: { comment: 'Adiós' } });
    }
    for (const one of channels) await forum.json('DELETE', apiRoutes.channel(one._id), ana);
    aheadMs = 31 * 86_400_000;
    const numbers = (table: 'comments' | 'comment_versions') =>
      db.selectFrom(table).select('number').orderBy('number').execute();
    const deleted = () =>
      db.selectFrom('channels').select('id').where('deleted_at_ms', 'is not', null).execute();
    await breakRows(db, 'delete on comments', 'when (old.number = 1)');
    await breakRows(db, 'delete on comment_versions', 'when (old.number = 3)');
    await breakRows(db, 'delete on channels', `when (old.id = '${channels[0]?._id}')`);
    await runHousekeeping(forum.services, forum.app.log);
    const left = async () => ({
      comments: (await numbers('comments')).map(({ number }) => number),
      versions: (await numbers('comment_versions')).map(({ number }) => number),
      channels: (await deleted()).map(({ id }) => id),
    });
    assert.deepEqual(await left(), {
      comments: [1, 3, 4],
      versions: [3],
      channels: [channels[0]?._id],
    });
    for (const table of ['comments', 'comment_versions', 'channels']) await mend(db, table);
    await runHousekeeping(forum.services, forum.app.log);
    assert.deepEqual(await left(), { comments: [3, 4], versions: [], channels: [] });
  });
}

test('a failed step of housekeeping does not stop the others', async () => {
  const log = new PassThrough();
  await using forum = await Forum.start('sqlite', {}, {}, log);
  const { db, now } = forum.services;
  const { id } = await forum.person();
  await breakRows(db, 'delete on sessions');
  await db.updateTable('sessions').set({ expires_at_ms: 1 }).execute();
  await createPasswordLink(db, id, 1);
  await runHousekeeping(forum.services, forum.app.log);
  assert.deepEqual(await db.selectFrom('password_links').selectAll().execute(), []);
  await mend(db, 'sessions');
  await runHousekeeping(forum.services, forum.app.log);
  const expired = db.selectFrom('sessions').select('id').where('expires_at_ms', '<', now());
  assert.deepEqual(await expired.execute(), []);
  log.end();
  const lines = (await text(log)).trim().split('\n');
  assert.equal(
    lines.filter((line) =>
      /"housekeeping failed.*broken row|broken row.*"housekeeping failed/.test(line),
    ).length,
    1,
  );
});

test('an erasure that a stop of the server interrupts is no failure', async () => {
  const log = new PassThrough();
  const forum = await Forum.start('sqlite', {}, {}, log);
  const { services } = forum;
  const { id } = await forum.person();
  const due = { deletion_at_ms: 1, deletion_content: 'erase' as const };
  await services.db.updateTable('accounts').set(due).where('id', '=', id).execute();
  const withTransaction = async () => {
    void services.close();
    throw new Error('interrupted');
  };
  await attemptErasures({ ...services, withTransaction }, forum.app.log);
  await forum.stop();
  log.end();
  assert.doesNotMatch(await text(log), /"level":50/);
});

test('the error of a task that fails for many items has a few of their errors and their number', async () => {
  const work = forEachDespiteErrors(Array.from({ length: 1000 }), async () => {
    throw new Error('broken row');
  });
  await assert.rejects(work, (error: AggregateError) => {
    assert.match(error.message, /^1000 failed, such as Error: broken row;/);
    return error.errors.length === 3;
  });
});
