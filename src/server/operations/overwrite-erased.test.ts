import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Forum } from '../../../test/forum/forum.ts';
import { askForDeletion, leaveTraces } from '../../../test/forum/leave-traces.ts';
import { makeStaff } from '../../../test/forum/make-staff.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { sqliteFile } from '../config/data-dir.ts';
import { readersWait, readFileVersion, vacuumDue } from '../database/sqlite/vacuum.ts';
import { indexOf } from '../search/index/index-of.ts';
import {
  attemptErasures,
  attemptOverwriting,
  overwriteErased,
  runHousekeeping,
} from './housekeeping.ts';

const dayMs = 86_400_000;

describe('the data folder of a stopped SQLite site', () => {
  let dataDir: string;
  let aheadMs = 0;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-bytes-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  const start = () =>
    Forum.start('sqlite', { DATA_DIR: dataDir }, { now: () => Date.now() + aheadMs });
  const keepHouse = async ({ deps, app }: Forum) => {
    await runHousekeeping(deps, app.log);
    await attemptOverwriting(deps, app.log);
  };

  /** Finds the texts that occur in the bytes of the files, in any case. */
  async function found(texts: string[]): Promise<string[]> {
    const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const files = names.filter((name) => name.isFile());
    assert.ok(files.some(({ name }) => name === 'tertulia.db'));
    const bytes = await Promise.all(
      files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8')),
    );
    const all = bytes.join('\n').toLowerCase();
    return texts.filter((text) => all.includes(text.toLowerCase()));
  }

  const edit = (forum: Forum, url: string, token: string, comment: string) =>
    forum.json('PATCH', url, { token, headers: { 'if-match': '"1"' }, body: { comment } });

  test('has neither the address, the name nor the words of an erased account', async () => {
    const email = 'qhvz.buzon@ejemplo.es';
    await using forum = await start();
    const { zoraida, berta, shared } = await leaveTraces(forum, email);
    await forum.comment(zoraida, shared._id, 'Xylqúmbares recogidos');
    await edit(forum, apiRoutes.channelComment(shared._id, 8), zoraida.token, 'Wuzgórnicas');
    await forum.comment(zoraida, shared._id, 'Jwóqtanes tirados');
    await forum.json('DELETE', apiRoutes.channelComment(shared._id, 9), { token: zoraida.token });
    // SQLite moves rows from page to page when they lie between others.
    for (let index = 0; index < 150; index++) {
      const text =
        index % 3 === 0 ? `Kvíxerones ${'ñandú '.repeat(index)}` : 'De Berta '.repeat(index);
      await forum.comment(index % 3 === 0 ? zoraida : berta, shared._id, text);
    }
    const quoted = { replyTo: 10, replyExcerpt: 'Kvíxerones' };
    await forum.comment(berta, shared._id, 'La cito', quoted);
    const texts = [email, 'Quintanar', 'xylqúmbar', 'wuzgórnic', 'jwóqtan', 'kvíxeron'];
    // The index contains singular forms without accents.
    const indexed = ['wuzgornic', 'kvixeron'];
    assert.deepEqual(await found([...texts, ...indexed]), [...texts, ...indexed]);
    const traces = [...texts, ...indexed, 'xylqumbar', 'jwoqtan'];

    await askForDeletion(forum, zoraida, 'erase');
    for (const ms of [14 * dayMs + 1, 60_001]) {
      aheadMs += ms;
      await attemptErasures(forum.deps, forum.app.log);
    }
    assert.deepEqual(await found(traces), []);
    await forum.stop();
    assert.deepEqual(await found(traces), []);
    for (const suffix of ['-wal', '-shm']) assert.ok(!existsSync(sqliteFile(dataDir) + suffix));
  });

  test('has no words that were edited away or deleted 30 days ago', async () => {
    await using forum = await start();
    const ana = await forum.person('Ana');
    const { _id } = await forum.channel(ana);
    await forum.comment(ana, _id, 'Pzwéquidas');
    await edit(forum, apiRoutes.channelComment(_id, 1), ana.token, 'Otra cosa');
    await forum.comment(ana, _id, 'Yhtrógenas');
    await forum.json('DELETE', apiRoutes.channelComment(_id, 2), { token: ana.token });
    const traces = ['pzwéquid', 'pzwequid', 'yhtrógen', 'yhtrogen'];
    assert.deepEqual(await found(traces), traces);
    aheadMs += dayMs;
    await keepHouse(forum);
    // The words are not indexed, but the texts are still in the bin and among the versions.
    assert.deepEqual(await found(traces), ['pzwéquid', 'yhtrógen']);
    aheadMs += 30 * dayMs;
    await keepHouse(forum);
    await forum.stop();
    assert.deepEqual(await found(traces), []);
  });

  test('has nothing of a report 30 days after the decision on it', async () => {
    await using forum = await start();
    const [ana, eva] = [await forum.person('Ana'), await makeStaff(forum)];
    const { _id } = await forum.channel(ana);
    await forum.comment(ana, _id, 'Mqorládicas');
    const subject = { kind: 'comment', id: `${_id}-1` };
    const report = { ...subject, reason: 'abuse', text: 'Dkwéspanas' };
    await forum.json('POST', apiRoutes.reports, { body: report });
    await edit(forum, apiRoutes.channelComment(_id, 1), ana.token, 'Otra cosa');
    const body = { subject, action: 'dismiss' };
    await forum.json('POST', apiRoutes.decisions, { token: eva.token, body });
    const traces = ['mqorládic', 'mqorladic', 'dkwéspan'];
    assert.deepEqual(await found(traces), traces);
    aheadMs += 29 * dayMs;
    await keepHouse(forum);
    assert.deepEqual(await found(traces), ['mqorládic', 'dkwéspan']);
    aheadMs += 2 * dayMs;
    await keepHouse(forum);
    await forum.stop();
    assert.deepEqual(await found(traces), []);
  });

  test('has no content that an earlier version left in free pages', async () => {
    const file = new DatabaseSync(sqliteFile(dataDir));
    file.exec(`pragma secure_delete = off; pragma user_version = 0;
      create table earlier (text text);
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)
        insert into earlier select 'Fqwáltimos ' || i from n;
      drop table earlier`);
    file.close();
    assert.deepEqual(await found(['fqwáltimos']), ['fqwáltimos']);
    await using forum = await start();
    await keepHouse(forum);
    await forum.stop();
    assert.deepEqual(await found(['fqwáltimos']), []);
  });

  test('has no address that was changed', async () => {
    await using forum = await start();
    await keepHouse(forum);
    const body = { email: 'nueva@ejemplo.es' };
    const former = `gvjq.${'larga.'.repeat(20)}antigua@ejemplo.es`;
    const { token, password } = await forum.person('Carla', former);
    await forum.json('PATCH', apiRoutes.me, {
      token,
      body: { ...body, currentPassword: password },
    });
    await forum.stop();
    assert.deepEqual(await found(['gvjq', 'antigua@']), []);
  });

  test('has nothing of an erased account beside one that cannot be erased, and is not vacuumed for that one', async () => {
    let logged = '';
    const log = new PassThrough().on('data', (chunk) => {
      logged += chunk;
    });
    const now = () => Date.now() + aheadMs;
    await using forum = await Forum.start('sqlite', { DATA_DIR: dataDir }, { now }, log);
    const { db } = forum.deps;
    const broken = await forum.person('Rota', 'rota@ejemplo.es');
    const whole = await forum.person('Wvznombre', 'wvqz.entera@ejemplo.es');
    for (const person of [broken, whole]) await askForDeletion(forum, person, 'erase');
    await sql`
      create trigger broken before update of email_key on accounts
      when old.id = ${sql.lit(broken.id)} begin select raise(abort, 'broken row'); end
    `.execute(db);
    aheadMs += 14 * dayMs + 1;
    await attemptErasures(forum.deps, forum.app.log);
    assert.deepEqual(await found(['wvqz', 'Wvznombre']), []);
    assert.match(logged, new RegExp(`account ${broken.id}`));
    const version = await readFileVersion(db);
    assert.notEqual(version, vacuumDue);
    aheadMs += 60_001;
    await attemptErasures(forum.deps, forum.app.log);
    await attemptErasures(forum.deps, forum.app.log);
    assert.equal(await readFileVersion(db), version);
    await sql`drop trigger broken`.execute(db);
  });

  test('is vacuumed twice a day, and at once after an erasure', async () => {
    await using forum = await start();
    const { db } = forum.deps;
    await keepHouse(forum);
    const version = await readFileVersion(db);
    await keepHouse(forum);
    assert.equal(await readFileVersion(db), version);
    aheadMs += dayMs / 2;
    await keepHouse(forum);
    assert.equal(await readFileVersion(db), version + 1);
  });

  test('is not vacuumed again during a long read by a command', async (t) => {
    await using forum = await start();
    aheadMs += dayMs;
    const { ms } = readersWait;
    t.after(() => {
      readersWait.ms = ms;
    });
    readersWait.ms = 100;
    const reader = new DatabaseSync(sqliteFile(dataDir), { readOnly: true });
    reader.exec('begin; select count(*) from accounts');
    const logSize = async () => {
      await assert.rejects(overwriteErased(forum.deps), /holds its write-ahead log/);
      return (await stat(`${sqliteFile(dataDir)}-wal`)).size;
    };
    const size = await logSize();
    assert.equal(await logSize(), size);
    // It waits for a short read.
    readersWait.ms = 60_000;
    const overwriting = overwriteErased(forum.deps);
    setTimeout(() => reader.close(), 500);
    await overwriting;
  });

  test('has no indexed word that was deleted while a merge was under way', async () => {
    await using forum = await start();
    const { db, transact } = forum.deps;
    const write = (rows: { doc: number; tokens: string[] | undefined }[]) =>
      transact('test', (trx) => indexOf(trx).writeWords(trx, rows));
    const some = Array.from({ length: 3000 }, (_, index) => `m${index}x`);
    for (let rowid = 1001; rowid <= 1030; rowid++) {
      await write([{ doc: rowid, tokens: [...some, rowid === 1015 ? 'bgqword' : 'bhqword'] }]);
    }
    // The first page of the index still contains the word.
    await sql`
      insert into search_docs_fts (search_docs_fts, rank) values ('merge', -1)
    `.execute(db);
    await write([{ doc: 1015, tokens: undefined }]);
    const blocks = () =>
      sql`
        select 1 from search_docs_fts_data where instr(block, cast('gqword' as blob)) > 0
      `.execute(db);
    assert.ok((await blocks()).rows.length > 0);
    aheadMs += dayMs;
    await overwriteErased(forum.deps);
    assert.equal((await blocks()).rows.length, 0);
  });
});
