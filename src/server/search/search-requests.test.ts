import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../test/forum/forum.ts';
import { searching, searchPath } from '../../../test/forum/searching.ts';
import { toStoredText } from '../texts/stored-text.ts';

onEngine('sqlite', 'a request for a search', (forum) => {
  const site = searching(forum);
  const { search, channel, write } = site;

  test('a hit names its channel, author and number, and marks the found words', async () => {
    const botanica = await channel('Botánica');
    await write(botanica, 'Las jacarandas florecen en mayo');
    const { data } = await search('jacaranda');
    const [hit] = data;
    assert.equal(data.length, 1);
    assert.deepEqual(hit?.channel, { _id: botanica._id, name: 'Botánica' });
    assert.equal(hit?.comment.autor, site.person.name);
    assert.equal(hit?.comment.number, 1);
    const marked = hit?.snippet.filter(({ isHit }) => isHit).map(({ text }) => text);
    assert.deepEqual(marked, ['jacarandas']);
  });

  test('a page has at most twenty hits and stays below 1.3 MB', async () => {
    const one = await channel();
    for (let number = 1; number <= 21; number++) await write(one, 'hito');
    const { db } = forum().services;
    const text = toStoredText(`hito ${'🦖'.repeat(9_995)}`);
    await db.updateTable('comments').set({ text }).where('channel_id', '=', one._id).execute();
    const page = await search('hito', { limit: 100 });
    assert.equal(page.data.length, 20);
    assert.ok(Buffer.byteLength(JSON.stringify(page)) < 1_300_000);
    const { data, next } = await search('hito', { limit: 100, after: page.next });
    assert.deepEqual([data.map(({ comment }) => comment.number), next], [[1], null]);
  });

  test('refuses what it cannot search for, and says what to do', async () => {
    for (const [q, advice] of [
      ['', /al menos una palabra/],
      [' \t', /al menos una palabra/],
      ['"" * ()', /al menos una palabra/],
      ['-gato', /sin el guion/],
      ['ñ '.repeat(101), /200 caracteres/],
      ['a'.repeat(10_000), /200 caracteres/],
    ] as const) {
      const problem = await expectProblem(
        await forum().call('GET', searchPath(q)),
        400,
        'invalid_fields',
      );
      assert.match(problem.detail, advice, q);
      assert.equal(problem.errors?.[0]?.field, 'q');
    }
    const unknown = searchPath('hola', { channel: 'nada' });
    await expectProblem(await forum().call('GET', unknown), 404, 'channel_not_found');
    // The maximum length of a text once each accent is composed with its letter.
    assert.deepEqual((await search('n\u0303'.repeat(200))).data, []);
  });

  test('a cursor belongs to its kind of search', async () => {
    const one = await channel();
    await write(one, 'remar aquí', 'remaba allí', 'remaban todos', '¿Cómo flota el catamarán?');
    const nextOf = async (q: string, parameters = {}) =>
      (await search(q, { limit: 1, ...parameters })).next ?? '';
    const wide = await nextOf('remar', { after: await nextOf('remar') });
    const phrase = (await nextOf('remar aquí', { sort: 'relevance' })).replace(/\.r./, '.rp');
    for (const [q, parameters] of [
      ['remar', { after: wide, exact: 1 }],
      ['remar aquí', { after: wide.replace(/\.nw/, '.np') }],
      ['como flota el barco catamarán', { after: wide.replace(/\.nw/, '.no'), exact: 1 }],
      ['remar', { after: phrase, sort: 'relevance' }],
    ] as const) {
      await expectProblem(
        await forum().call('GET', searchPath(q, parameters)),
        400,
        'invalid_cursor',
      );
    }
    assert.equal((await search('remar', { after: wide })).data.length, 1);
  });

  test('a cursor belongs to its order and its site', async () => {
    await write(await channel(), 'noria uno', 'noria dos', 'noria tres');
    const newest = (await search('noria', { limit: 1 })).next ?? '';
    const relevant = (await search('noria', { limit: 1, sort: 'relevance' })).next ?? '';
    for (const [sort, ...cursors] of [
      ['new', relevant, '', '1', 'x.1', newest.replace(/^./, 'x'), `${newest}9999999999`],
      ['relevance', newest, relevant.replace(/^./, 'x'), `${relevant}9999999999`, 'constructor'],
    ]) {
      for (const after of cursors) {
        const answer = await forum().call('GET', searchPath('noria', { sort: sort ?? '', after }));
        await expectProblem(answer, 400, 'invalid_cursor');
      }
    }
    assert.equal((await search('noria', { after: newest })).data.length, 2);
  });

  test('is never stored, by caches or by the server', async () => {
    const one = await channel();
    const url = searchPath('abrevadero');
    assert.equal((await forum().call('GET', url)).headers.get('cache-control'), 'no-store');
    await write(one, 'el abrevadero');
    assert.equal((await search('abrevadero')).data.length, 1);
    const head = await forum().call('HEAD', url);
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });
});
