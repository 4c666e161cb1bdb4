import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../test/forum/forum.ts';
import { operate } from '../../../test/forum/operator.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { withQuery } from '../../shared/routes.ts';
import type { SearchResults } from '../../shared/search.ts';
import { toStoredText } from '../database/stored-text.ts';
import { indexNewComment } from './index/index-comment.ts';

interface Parameters {
  channel?: string;
  limit?: number;
  after?: string | null;
  sort?: string;
  typing?: 1;
  exact?: 1;
  author?: string;
}
const urlOf = (q: string, parameters: Parameters = {}) =>
  withQuery(apiRoutes.search, { q, ...parameters });
const textsOf = ({ data }: SearchResults) => data.map(({ comment }) => comment.comment);

onBothEngines('search', (forum) => {
  let person: Person;
  before(async () => {
    person = await forum().person();
  });

  const search = (q: string, parameters?: Parameters) =>
    forum().json<SearchResults>('GET', urlOf(q, parameters));
  const channel = (name?: string) => forum().channel(person, name);
  const write = async ({ _id }: Channel, ...texts: string[]) => {
    for (const text of texts) await forum().comment(person, _id, text);
  };

  /** Writes many comments in one transaction. */
  const writeAll = (channelId: string, count: number, textOf: (number: number) => string) =>
    forum().services.withTransaction('test', async (trx) => {
      for (let number = 1; number <= count; number++) {
        const text = toStoredText(textOf(number));
        const row = { channel_id: channelId, number, account_id: person.id, text };
        await trx
          .insertInto('comments')
          .values({ ...row, created_at_ms: number })
          .execute();
        await indexNewComment(trx, { channelId, number }, { text, authorId: person.id });
      }
    });

  /** Texts of all pages. @param between runs after each page */
  async function allTexts(q: string, parameters: Parameters, between = async () => {}) {
    const texts: string[][] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await search(q, { ...parameters, ...(after ? { after } : {}) });
      texts.push(textsOf(page));
      after = page.next;
      await between();
    }
    return texts;
  }

  test('pages through all hits, newest first, without gaps or repeats while others are added', async () => {
    const [one, other] = [await channel(), await channel()];
    for (let number = 1; number <= 12; number++) {
      await write(number % 2 ? one : other, `aljibe ${number}`, 'otra cosa');
    }
    const pages = await allTexts('aljibe', { limit: 5 }, () => write(one, 'aljibe nuevo'));
    const expected = Array.from({ length: 12 }, (_, index) => `aljibe ${12 - index}`);
    assert.deepEqual(pages.flat(), expected);
    assert.deepEqual(
      pages.map((page) => page.length),
      [5, 5, 2],
    );
    const inOne = await search('aljibe', { channel: other._id });
    assert.deepEqual(
      textsOf(inOne),
      expected.filter((_, index) => index % 2 === 0),
    );
    assert.equal(inOne.next, null);
  });

  test('a hit says where it is, and shows the words that are searched for', async () => {
    const botanica = await channel('Botánica');
    await write(botanica, 'Las jacarandas florecen en mayo');
    const { data } = await search('jacaranda');
    const [hit] = data;
    assert.equal(data.length, 1);
    assert.deepEqual(hit?.channel, { _id: botanica._id, name: 'Botánica' });
    assert.equal(hit?.comment.autor, person.name);
    assert.equal(hit?.comment.number, 1);
    const marked = hit?.snippet.filter(({ isHit }) => isHit).map(({ text }) => text);
    assert.deepEqual(marked, ['jacarandas']);
  });

  test('finds phrases in their order only, on full pages', async () => {
    const one = await channel();
    for (let number = 0; number < 60; number++) {
      const text = number % 20 === 0 ? 'el pozo de la plaza' : 'la plaza de el pozo';
      await write(one, `${text} ${number}`);
    }
    const pages = await allTexts('"pozo de la plaza"', { limit: 2 });
    assert.deepEqual(pages, [
      ['el pozo de la plaza 40', 'el pozo de la plaza 20'],
      ['el pozo de la plaza 0'],
    ]);
    const without = await allTexts('pozo -"la plaza de"', { limit: 100 });
    assert.deepEqual(without, [pages.flat()]);
  });

  test('looks at a bounded amount of text for one page, and goes on with the next', async () => {
    const one = await channel();
    await write(one, 'el faro rojo');
    const long = 'rojo y luego el faro y '.repeat(430);
    for (let number = 1; number <= 22; number++) await write(one, `${long}${number}`);
    const first = await search('"faro rojo"');
    assert.deepEqual([first.data, first.suggestion], [[], null]);
    const second = await search('"faro rojo"', { after: first.next });
    assert.deepEqual([textsOf(second), second.next], [['el faro rojo'], null]);
    const ranked = (await allTexts('faro', { sort: 'relevance', limit: 100 })).flat();
    assert.deepEqual([ranked.length, new Set(ranked).size], [23, 23]);
    assert.ok(ranked.indexOf('el faro rojo') > 20, 'older ones are ranked on their own');
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

  test('a channel with thousands of comments that was hidden leaves no empty pages behind', async () => {
    const [shown, hidden] = [await channel(), await channel('Faros')];
    await write(shown, 'un malecón', 'dos malecones');
    await writeAll(hidden._id, 1300, () => 'malecón');
    await operate(forum(), 'hide', hidden._id);
    for (const sort of ['new', 'relevance']) {
      const { data, next } = await search('malecón', { sort });
      assert.deepEqual([data.length, next], [2, null]);
    }
  });

  test('finds neither hidden comments nor those of hidden channels, until they are shown again', async () => {
    const [shown, hidden] = [await channel(), await channel('Cisternas')];
    await write(shown, 'cisterna uno', 'cisterna dos');
    await write(hidden, 'cisterna tres');
    const { data } = await search('cisterna', { channel: hidden._id });
    assert.equal(data.length, 1);
    await operate(forum(), 'hide', hidden._id);
    await operate(forum(), 'hide', `${shown._id}-1`);
    const found = await search('cisterna');
    assert.deepEqual(textsOf(found), ['cisterna dos']);
    assert.deepEqual([found.next, found.channels], [null, []]);
    await expectProblem(
      await forum().call('GET', urlOf('cisterna', { channel: hidden._id })),
      404,
      'channel_not_found',
    );
    await operate(forum(), 'show', hidden._id);
    await operate(forum(), 'show', `${shown._id}-1`);
    const again = await search('cisternas');
    assert.deepEqual(textsOf(again), ['cisterna tres', 'cisterna dos', 'cisterna uno']);
    assert.equal(again.channels[0]?.name, 'Cisternas');
  });

  test('channels are on the first page, those by name first, and not within a channel', async () => {
    const plain = await channel('Albercas del sur');
    for (const name of ['Alberca vieja', 'Otro', 'La alberca', 'Mi alberca', 'Una', 'Alberca']) {
      await forum().json<Channel>('POST', apiRoutes.channels, {
        token: person.token,
        body: { name, description: 'Sobre una alberca.', cover: '/default-avatar.svg' },
      });
    }
    await write(plain, 'alberca uno', 'alberca dos');
    const first = await search('alberca', { limit: 1 });
    assert.deepEqual(
      first.channels.map(({ name }) => name),
      ['Alberca', 'Mi alberca', 'La alberca', 'Alberca vieja', 'Albercas del sur'],
    );
    assert.deepEqual(first.channels.at(-1), { ...plain, ...first.channels.at(-1), comments: [] });
    const second = await search('alberca', { limit: 1, after: first.next });
    assert.deepEqual([textsOf(second), second.channels], [['alberca uno'], []]);
    const inside = await search('alberca', { channel: plain._id });
    assert.deepEqual(inside.channels, []);
  });

  test('orders by relevance: texts in which the words follow each other, then all others, the newest first', async () => {
    const one = await channel();
    const [other, phrase, apart, long] = [
      'Plancha para un chipirón',
      'Chipirón plancha',
      'Chipirones de la plancha',
      'A un chipirón plancha se le puede añadir perejil',
    ] as const;
    await write(one, other, phrase, apart, long);
    const parameters = { sort: 'relevance', limit: 1 };
    const pages = await allTexts('chipirón plancha', parameters, () =>
      write(one, 'chipirón plancha'),
    );
    assert.deepEqual(pages.flat(), [long, phrase, apart, other]);
  });

  test('the order by relevance goes on beyond the texts that are looked at for phrases', async () => {
    const { _id } = await channel();
    await writeAll(_id, 1200, (number) =>
      number % 300 === 0 ? 'aldaba vieja' : `vieja aldaba ${number}`,
    );
    const texts = (await allTexts('aldaba vieja', { sort: 'relevance', limit: 100 })).flat();
    assert.deepEqual(texts.slice(0, 5), [
      ...Array.from({ length: 4 }, () => 'aldaba vieja'),
      'vieja aldaba 1199',
    ]);
    assert.deepEqual([texts.length, new Set(texts).size], [1200, 1197]);
  });

  test('the last word is a prefix only while somebody types', async () => {
    await write(await channel(), 'anochecer en el puerto');
    assert.deepEqual(textsOf(await search('anoche')), []);
    assert.deepEqual(textsOf(await search('anoche', { typing: 1 })), ['anochecer en el puerto']);
  });

  test('hits in a wider sense follow fewer than ten exact ones, on later pages too', async () => {
    const one = await channel();
    await write(one, 'Trajeron un botijo', 'El botijo que traje', 'traer botijos');
    const texts = ['traer botijos', 'El botijo que traje', 'Trajeron un botijo'];
    for (const sort of ['new', 'relevance']) {
      for (const limit of [1, 2, 20]) {
        const pages = await allTexts('traer un botijo', { sort, limit });
        assert.deepEqual(pages.flat(), texts, `${sort} ${limit}`);
      }
    }
    const { data } = await search('trajo botijos');
    assert.deepEqual(data[0]?.snippet, [
      { text: 'traer', isHit: true },
      { text: ' ', isHit: false },
      { text: 'botijos', isHit: true },
    ]);
    assert.deepEqual(textsOf(await search('traer un botijo', { exact: 1 })), []);
    await write(one, ...Array.from({ length: 10 }, (_, number) => `traer un botijo ${number}`));
    assert.equal((await allTexts('traer un botijo', { limit: 4 })).flat().length, 10);
  });

  test('where nothing has all words, what lacks one comes, else what lacks two, but never more than half', async () => {
    const one = await channel();
    const three = ['Almirez, mortero y bronce', 'El bronce de morteros y almireces'];
    const two = ['Un almirez de bronce', 'Otro almirez viejo de bronce', 'mortero bronce'];
    await write(one, 'Un almirez', ...three, ...two, 'oculto: bronce, mortero, almirez');
    await operate(forum(), 'hide', `${one._id}-7`);
    const q = 'el almirez, un mortero, el bronce y la piedra';
    const parameters = { channel: one._id };
    for (const sort of ['new', 'relevance']) {
      for (const limit of [1, 2, 20]) {
        const pages = await allTexts(q, { ...parameters, sort, limit });
        assert.deepEqual(pages.flat(), three.toReversed(), `${sort} ${limit}`);
        const lackingTwo = await allTexts('almirez piedra bronce yunque', {
          ...parameters,
          sort,
          limit,
        });
        const expected = [...three, ...two.slice(0, 2)].toReversed();
        assert.deepEqual(lackingTwo.flat(), expected, `${sort} ${limit}`);
      }
    }
    const missing = async (q: string, more = {}) =>
      (await search(q, { ...parameters, ...more })).data.map((hit) => hit.missing);
    for (const [words, ...expected] of [
      [q, 1, 1],
      ['almirez mortero piedra yunque', 2, 2],
      ['almirez mortero bronce', 0, 0],
      ['almirez bronce piedra', 1, 1, 1, 1],
      ['viejo "de bronce" almirez piedra', 1],
      ['viejo "bronce de" almirez piedra'],
      ['almirez mortero bronce piedra -bronce'],
      ['piedra almirez'],
      ['¿cómo es un almirez de piedra?', 1, 1, 1, 1, 1],
    ] as const) {
      assert.deepEqual(await missing(words), expected, words);
    }
    assert.deepEqual(await missing(q, { exact: 1 }), []);
    assert.deepEqual(await missing(q, { typing: 1 }), []);
  });

  test('channels with all words but function words come, else those that lack one, marked so', async () => {
    const names = ['Gachas y migas de la abuela', 'Migas con abuelas'];
    const [first, second] = [await channel(names[0]), await channel(names[1])];
    const found = async (q: string, more = {}) =>
      (await search(q, more)).channels.map(({ _id, missing }) => [_id, missing]);
    const all = [second, first].map(({ _id }) => _id);
    assert.deepEqual(await found('la abuela y sus gachas'), [[first._id, 0]]);
    assert.deepEqual(await found('la abuela y sus gachas', { exact: 1 }), []);
    assert.deepEqual(
      await found('receta de migas de la abuela'),
      all.map((id) => [id, 1]),
    );
    assert.deepEqual(await found('receta de migas de pastor'), []);
    // Once a text has all words, channels that lack a word are not shown.
    await write(second, 'La receta de las migas de mi abuela');
    assert.deepEqual(await found('receta de migas de la abuela'), []);
  });

  test('corrects what is misspelt only when nothing is found, says so, and leads to visible hits', async () => {
    const one = await channel();
    await write(
      one,
      'la cigüeña volvió',
      'una montana de papel',
      'Croquetas de alubias',
      'oculto: tranvía',
    );
    await operate(forum(), 'hide', `${one._id}-4`);
    for (const [q, searched] of [
      ['ciguena', 'cigüeña'],
      ['montaña', 'montana'],
      ['croqetas', 'croquetas'],
      ['como son las Croqetas de alubas', 'como son las croquetas de alubias'],
      ['corquetas -arroz', 'croquetas -arroz'],
      ['tranbía', null],
      ['croquetas', null],
      ['xilofonista', null],
      ['croqetas alubas volbio', null],
      ['"croqetas alubias"', null],
    ] as const) {
      const found = await search(q, { channel: one._id });
      assert.equal(found.searched, searched, q);
      assert.equal(found.data.length > 0, searched !== null || q === 'croquetas', q);
      const exact = await search(q, { channel: one._id, exact: 1 });
      // No text contains the exact words of the question.
      const suggestion = q.startsWith('como') ? null : searched;
      assert.deepEqual([exact.searched, exact.suggestion], [null, suggestion], q);
      const typed = await search(q, { channel: one._id, typing: 1 });
      const isOtherN = q === 'ciguena' || q === 'montaña';
      assert.equal(typed.searched, isOtherN ? searched : null, q);
    }
    const renamed = await channel('Alcantarillado');
    assert.equal((await search('halcantarillado')).channels[0]?._id, renamed._id);
  });

  test('a name finds the person and what they wrote, which can be filtered', async () => {
    const { db } = forum().services;
    const [rosa, begonia] = [
      await forum().person('Rosa de León'),
      await forum().person('Íñigo Zorrozúa'),
    ];
    const one = await channel();
    await forum().comment(rosa, one._id, 'Un tejadillo rojo');
    await forum().comment(begonia, one._id, 'El tejadillo de Rosa');
    await forum().comment(begonia, one._id, 'Otro tejadillo');
    assert.deepEqual(textsOf(await search('rosa tejadillo')), [
      'El tejadillo de Rosa',
      'Un tejadillo rojo',
    ]);
    const named = async (q: string, parameters = {}) =>
      (await search(q, parameters)).people.map(({ id }) => id);
    assert.deepEqual(await named('leon rosa'), [rosa.id]);
    assert.deepEqual(await named('inigo'), [begonia.id]);
    assert.deepEqual(await named('iñigo'), [begonia.id]);
    assert.deepEqual(await named('iñigo zorr', { typing: 1 }), [begonia.id]);
    assert.deepEqual(await named('inigo zorozua'), [begonia.id]);
    assert.deepEqual(await named('rosa zorrozúa'), []);
    assert.deepEqual(await named('rosa', { channel: one._id }), []);
    const wrote = await search('tejadillo', { author: begonia.id });
    assert.deepEqual(textsOf(wrote), ['Otro tejadillo', 'El tejadillo de Rosa']);

    await forum().json('PATCH', apiRoutes.me, {
      token: begonia.token,
      body: { name: 'Paz Etxea', currentPassword: begonia.password },
    });
    assert.deepEqual(await named('inigo'), []);
    assert.deepEqual(await named('paz'), [begonia.id]);

    await db.updateTable('accounts').set({ disabled_at_ms: 1 }).where('id', '=', rosa.id).execute();
    assert.deepEqual(await named('rosa leon'), []);
    for (const author of ['nadie', rosa.id.replace(/.$/, '_')]) {
      await expectProblem(
        await forum().call('GET', urlOf('tejadillo', { author })),
        404,
        'user_not_found',
      );
    }
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
        await forum().call('GET', urlOf(q)),
        400,
        'invalid_fields',
      );
      assert.match(problem.detail, advice, q);
      assert.equal(problem.errors?.[0]?.field, 'q');
    }
    await expectProblem(await forum().call('GET', apiRoutes.search), 400, 'invalid_request');
    const twice = `${apiRoutes.search}?q=a&q=b`;
    await expectProblem(await forum().call('GET', twice), 400, 'invalid_request');
    const unknown = urlOf('hola', { channel: 'nada' });
    await expectProblem(await forum().call('GET', unknown), 404, 'channel_not_found');
    // The maximum length of a text once each accent is composed with its letter.
    assert.deepEqual((await search('n\u0303'.repeat(200))).data, []);
  });

  test('a cursor belongs to its kind of search', async () => {
    const one = await channel();
    await write(one, 'remar aquí', 'remaba allí', 'remaban todos', '¿Cómo flota el catamarán?');
    const nextOf = async (q: string, parameters: Parameters) =>
      (await search(q, { limit: 1, ...parameters })).next ?? '';
    const wide = await nextOf('remar', { after: await nextOf('remar', {}) });
    const phrase = (await nextOf('remar aquí', { sort: 'relevance' })).replace(/\.r./, '.rp');
    for (const [q, parameters] of [
      ['remar', { after: wide, exact: 1 }],
      ['remar aquí', { after: wide.replace(/\.nw/, '.np') }],
      ['como flota el barco catamarán', { after: wide.replace(/\.nw/, '.no'), exact: 1 }],
      ['remar', { after: phrase, sort: 'relevance' }],
    ] as const) {
      await expectProblem(await forum().call('GET', urlOf(q, parameters)), 400, 'invalid_cursor');
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
        const answer = await forum().call('GET', urlOf('noria', { sort: sort ?? '', after }));
        await expectProblem(answer, 400, 'invalid_cursor');
      }
    }
    assert.equal((await search('noria', { after: newest })).data.length, 2);
  });

  test('is never stored, by caches or by the server', async () => {
    const one = await channel();
    const url = urlOf('abrevadero');
    assert.equal((await forum().call('GET', url)).headers.get('cache-control'), 'no-store');
    await write(one, 'el abrevadero');
    assert.equal((await search('abrevadero')).data.length, 1);
    const head = await forum().call('HEAD', url);
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });
});
