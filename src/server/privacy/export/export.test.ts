import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { answeredDates } from '../../../../test/forum/dated-comment.ts';
import { fillAccount } from '../../../../test/forum/fill-account.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { decided, hideContent, staff, user } from '../../../../test/forum/moderators.ts';
import { readZip, rowsIn } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { markForErasure } from '../../moderation/erasure/erase-content.ts';
import { toStoredText } from '../../texts/stored-text.ts';

async function download(forum: Forum, { token }: { token: string }): Promise<Map<string, Buffer>> {
  const response = await forum.call('GET', apiRoutes.export, { token });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/zip');
  return readZip(Buffer.from(await response.arrayBuffer()));
}

/** The names of the files with rows, and how many. */
function countRows(files: Map<string, Buffer>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of files.keys()) {
    if (!name.endsWith('.jsonl')) continue;
    const { length } = rowsIn(files, name);
    if (length > 0) counts[name.replace('.jsonl', '')] = length;
  }
  return counts;
}

onBothEngines('the export of an account', (forum, _wait, engine) => {
  test('contains everything that the account wrote and uploaded, and nothing from others', async () => {
    const ana = await forum().person('Ana');
    const berta = await forum().person('Berta');
    const png = await quarters(320, 160).png().toBuffer();
    const stored = await forum().upload(ana, png, { use: 'avatar', filename: '..\\..\\yo.png' });
    const { md5Hash } = (await stored.json()) as StoredFile;
    const { _id } = await forum().channel(ana, 'Cine');
    for (const text of ['Uno', 'Dos', 'Tres']) await forum().comment(ana, _id, text);
    await forum().comment(berta, _id, 'De Berta');
    await forum().edit(ana, _id, 1, 'Uno, editado');
    await forum().json('DELETE', apiRoutes.channelComment(_id, 2), { token: ana.token });
    await hideContent(forum(), `${_id}-3`);
    await forum().json('PUT', apiRoutes.thanks(_id, 4), { token: ana.token });
    await forum().json('PUT', apiRoutes.reads, {
      token: ana.token,
      body: { channelId: _id, number: 4 },
    });

    const files = await download(forum(), ana);
    const [account] = rowsIn(files, 'cuenta.jsonl');
    assert.deepEqual([account?.name, account?.email], ['Ana', ana.email]);
    const comments = rowsIn(files, 'comentarios.jsonl');
    assert.deepEqual(
      comments.map(({ number, text, deletedAt, hiddenBy }) => [
        number,
        text,
        deletedAt !== null,
        hiddenBy !== null,
      ]),
      [
        [1, 'Uno, editado', false, false],
        [2, 'Dos', true, false],
        [3, 'Tres', false, true],
      ],
    );
    assert.deepEqual(
      rowsIn(files, 'versiones-de-comentarios.jsonl').map(({ number, text }) => [number, text]),
      [[1, 'Uno']],
    );
    assert.deepEqual(
      rowsIn(files, 'canales.jsonl').map(({ name }) => name),
      ['Cine'],
    );
    assert.deepEqual(
      rowsIn(files, 'gracias.jsonl').map(({ number }) => number),
      [4],
    );
    assert.deepEqual(rowsIn(files, 'lecturas.jsonl'), [{ channelId: _id, number: 4, level: null }]);
    assert.equal(rowsIn(files, 'sesiones.jsonl').length, 1);
    const [image] = rowsIn(files, 'imagenes.jsonl');
    assert.match(String(image?.file), /^imagenes\/[\w-]+\.png$/);
    const bytes = files.get(String(image?.file)) ?? Buffer.alloc(0);
    assert.equal(createHash('md5').update(bytes).digest('base64'), md5Hash);
    assert.ok(![...files.values()].some((file) => file.includes('De Berta')));
    assert.ok(![...files.values()].some((file) => file.includes(ana.token)));
  });

  test('contains the rows of each table that are the account’s, and none of others', async () => {
    const [ana, berta, carla] = [
      await forum().person('Ana'),
      await forum().person('Berta'),
      await forum().person('Carla'),
    ];
    const { _id: channelId } = await forum().channel(carla);
    const { db } = forum().services;
    const place = { accountId: ana.id, openerId: berta.id, channelId, nowMs: Date.now() };
    await fillAccount(db, place, 3);
    assert.deepEqual(countRows(await download(forum(), ana)), {
      cuenta: 1,
      navegadores: 3,
      sesiones: 4,
      comentarios: 3,
      'imagenes-de-comentarios': 3,
      'archivos-de-comentarios': 3,
      gracias: 3,
      'versiones-de-comentarios': 6,
      'imagenes-de-versiones': 6,
      fechas: 3,
      'dias-de-las-fechas': 3,
      'respuestas-a-fechas': 3,
      lecturas: 3,
      imagenes: 21,
      invitaciones: 3,
      pendientes: 3,
      decisiones: 3,
      avisos: 6,
      recursos: 3,
      denunciado: 6,
      denuncias: 6,
    });
    assert.deepEqual(countRows(await download(forum(), berta)), {
      cuenta: 1,
      sesiones: 1,
      canales: 3,
      'versiones-de-canales': 3,
    });
  });

  test('contains the dates that the account wrote and its own answers, and names nobody else who answered', async () => {
    const [ana, berta] = [await forum().person('Ana'), await forum().person('Berta')];
    const { _id } = await forum().channel(ana);
    await answeredDates(forum(), ana, _id, [ana, berta]);
    const written = await download(forum(), ana);
    assert.deepEqual(
      rowsIn(written, 'fechas.jsonl').map(({ title, location, capacity }) => [
        title,
        location,
        capacity,
      ]),
      [['Reunión', 'Local', 1]],
    );
    assert.deepEqual(
      rowsIn(written, 'dias-de-las-fechas.jsonl').map(({ startTime, cancelledAt, reason }) => [
        String(startTime).slice(4),
        cancelledAt !== null,
        reason,
      ]),
      [
        ['-06-03T20:30', false, ''],
        ['-06-10T20:30', true, 'Es fiesta'],
      ],
    );
    const answers = (files: Map<string, Buffer>) =>
      rowsIn(files, 'respuestas-a-fechas.jsonl').map(({ position, answer, people }) => [
        position,
        answer,
        people,
      ]);
    const both = [
      [0, 'yes', 1],
      [1, 'yes', 1],
    ];
    assert.deepEqual(answers(written), both);
    const answered = await download(forum(), berta);
    assert.deepEqual(answers(answered), both);
    assert.deepEqual(rowsIn(answered, 'fechas.jsonl'), []);
    for (const [files, other] of [
      [written, berta],
      [answered, ana],
    ] as const)
      for (const text of [other.name, other.id])
        assert.ok(![...files.values()].some((file) => file.includes(text)), text);
  });

  test('contains the rows of one moment while comments are being written', async () => {
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana);
    for (let i = 0; i < 60; i++) await forum().comment(ana, _id, `${i}`);
    let isDone = false;
    const write = async () => {
      for (let i = 0; !isDone; i++) await forum().comment(ana, _id, `Más ${i}`);
    };
    const downloading = download(forum(), ana).finally(() => {
      isDone = true;
    });
    const [files] = await Promise.all([downloading, write()]);
    const numbers = rowsIn(files, 'comentarios.jsonl').map(({ number }) => number);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
    assert.ok(numbers.length >= 60);
  });

  test('contains decisions about the person, but not that a report about them was dismissed', async () => {
    const [ana, eva] = [await forum().person('Ana'), await staff(forum())];
    const { token } = await forum().person('Berta');
    const report = { kind: 'user', id: ana.id, reason: 'spam' };
    await forum().json('POST', apiRoutes.reports, { token, body: report });
    const about = { subject: user(ana), reason: 'Berta se equivoca.' };
    await decided(forum(), eva, { ...about, action: 'dismiss' });
    await decided(forum(), eva, { subject: user(ana), action: 'silence', days: 1 });
    const decisions = rowsIn(await download(forum(), ana), 'decisiones.jsonl');
    assert.deepEqual(
      decisions.map(({ action }) => action),
      ['silence'],
    );
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('contains all of many earlier versions of a comment and a channel', async () => {
    const ana = await forum().person('Ana');
    const { _id: channel_id } = await forum().channel(ana);
    await forum().comment(ana, channel_id, 'Ahora');
    const { db } = forum().services;
    const many = 1201;
    const common = { channel_id, replaced_at_ms: Date.now() };
    const revisions = Array.from({ length: many }, (_, index) => ({
      ...common,
      revision: index + 1,
    }));
    const ofChannel = { name: 'Cine', description: 'd', cover: '', cover_alt: '' };
    for (const some of [revisions.slice(0, 600), revisions.slice(600)]) {
      await db
        .insertInto('comment_versions')
        .values(some.map((one) => ({ ...one, number: 1, text: toStoredText('Antes') })))
        .execute();
      await db
        .insertInto('channel_versions')
        .values(some.map((one) => ({ ...one, ...ofChannel })))
        .execute();
    }
    const revision = { revision: many + 1 };
    await db.updateTable('comments').set(revision).where('channel_id', '=', channel_id).execute();
    await db.updateTable('channels').set(revision).where('id', '=', channel_id).execute();
    const files = await download(forum(), ana);
    for (const name of ['versiones-de-canales.jsonl', 'versiones-de-comentarios.jsonl']) {
      const numbers = rowsIn(files, name).map((version) => version.revision);
      assert.deepEqual(
        numbers,
        revisions.map((one) => one.revision),
      );
    }
  });

  test('contains no comments and channels that are being erased', async () => {
    const ana = await forum().person('Ana');
    const begun: string[] = [];
    for (const kind of ['comment', 'channel'] as const) {
      const { _id: channelId } = await forum().channel(ana, `Canal ${kind}`);
      const headers = { 'if-match': '"1"' };
      for (const number of [1, 2]) {
        await forum().comment(ana, channelId, `Antes ${kind} ${number}`);
        const body = { comment: `Ahora ${kind} ${number}` };
        const url = apiRoutes.channelComment(channelId, number);
        await forum().json('PATCH', url, { token: ana.token, headers, body });
      }
      const body = { description: 'Otra' };
      await forum().json('PATCH', apiRoutes.channel(channelId), {
        token: ana.token,
        headers,
        body,
      });
      const moderator = { ...forum().services, actorName: 'eva', note: 'spam' };
      await markForErasure(moderator, { kind, channelId, number: 1 });
      begun.push(channelId);
    }
    const files = await download(forum(), ana);
    const idsIn = (name: string) =>
      rowsIn(files, name).map(({ id, channelId = id, number }) => [channelId, number]);
    const [shared] = begun;
    assert.deepEqual(idsIn('canales.jsonl'), [[shared, undefined]]);
    assert.deepEqual(idsIn('versiones-de-canales.jsonl'), [[shared, undefined]]);
    assert.deepEqual(idsIn('comentarios.jsonl'), [[shared, 2]]);
    assert.deepEqual(idsIn('versiones-de-comentarios.jsonl'), [[shared, 2]]);
    assert.ok(![...files.values()].some((file) => file.includes('1970-01-01')));
  });
});

/** Runs `work` with a forum whose images are endless streams. */
async function withEndlessImage(
  work: (forum: Forum, token: string, opened: Readable[]) => Promise<void>,
  end?: (stream: Readable) => void,
): Promise<void> {
  const opened: Readable[] = [];
  await using forum = await Forum.start('sqlite');
  const ana = await forum.person();
  await forum.upload(ana, await quarters(320, 160).png().toBuffer());
  forum.services.images.read = async () => {
    let chunks = 0;
    const stream = new Readable({
      read() {
        if (++chunks === 50 && end) end(this);
        else this.push(Buffer.alloc(64 * 1024, chunks));
      },
    });
    opened.push(stream);
    return stream;
  };
  await work(forum, ana.token, opened);
}

async function readOn({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  while (!(await reader?.read())?.done);
}

test('an export whose client disconnects closes its streams and files, and another can start', async () => {
  await withEndlessImage(async (forum, token, opened) => {
    for (let i = 0; i < 2; i++) {
      const leaving = new AbortController();
      const response = await fetch(new URL(apiRoutes.export, forum.url), {
        headers: { authorization: `Bearer ${token}` },
        signal: leaving.signal,
      });
      const reading = readOn(response);
      await eventually('the image is read', async () => opened.length === i + 1);
      leaving.abort();
      await assert.rejects(reading);
      await eventually('the image is closed', async () => opened[i]?.destroyed ?? false);
    }
    const left = await readdir(forum.services.config.dataDir);
    assert.ok(!left.some((name) => name.startsWith('export-')));
  });
});

test('an export that fails in the middle closes the connection', async () => {
  await withEndlessImage(
    async (forum, token) => {
      const response = await forum.call('GET', apiRoutes.export, { token });
      assert.equal(response.status, 200);
      await assert.rejects(response.arrayBuffer());
    },
    (stream) => stream.destroy(new Error('the disk failed')),
  );
});

test('an account can be exported three times a day, which is counted before anything is copied', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', LOG_LEVEL: 'silent' });
  const { token } = await forum.person();
  for (let i = 0; i < 4; i++) {
    assert.equal((await forum.call('HEAD', apiRoutes.export, { token })).status, 200);
  }
  const { config } = forum.services;
  const { dataDir } = config;
  for (let i = 0; i < 2; i++) await download(forum, { token });
  Object.assign(config, { dataDir: '/dev/null/none' });
  assert.ok((await forum.call('GET', apiRoutes.export, { token })).status >= 500);
  const refused = await forum.call('GET', apiRoutes.export, { token });
  await expectProblem(refused, 429, 'too_many_requests');
  const left = await readdir(dataDir);
  assert.ok(!left.some((name) => name.startsWith('export-')));
});
