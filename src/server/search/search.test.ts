import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../test/forum/forum.ts';
import { hideContent, showContent } from '../../../test/forum/moderators.ts';
import { searching, searchPath, textsOf } from '../../../test/forum/searching.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { indexNewComment } from '../search-index/index-comment.ts';
import { toStoredText } from '../texts/stored-text.ts';

onEngine('sqlite', 'search', (forum) => {
  const site = searching(forum);
  const { search, channel, write, allTexts } = site;

  /** Writes many comments in one transaction. */
  const writeAll = (channelId: string, count: number, textOf: (number: number) => string) =>
    forum().services.withTransaction('test', async (trx) => {
      for (let number = 1; number <= count; number++) {
        const text = toStoredText(textOf(number));
        const row = { channel_id: channelId, number, account_id: site.person.id, text };
        await trx
          .insertInto('comments')
          .values({ ...row, created_at_ms: number })
          .execute();
        await indexNewComment(trx, { channelId, number }, { text, authorId: site.person.id });
      }
    });

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

  test('looks at a bounded amount of text for one page, and continues with the next', async () => {
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

  test('a channel with thousands of comments that was hidden leaves no empty pages behind', async () => {
    const [shown, hidden] = [await channel(), await channel('Faros')];
    await write(shown, 'un malecón', 'dos malecones');
    await writeAll(hidden._id, 1300, () => 'malecón');
    await hideContent(forum(), hidden._id);
    for (const sort of ['new', 'relevance']) {
      const { data, next } = await search('malecón', { sort });
      assert.deepEqual([data.length, next], [2, null]);
    }
  });

  test('finds neither deleted nor hidden comments nor those of hidden channels, until they are shown again', async () => {
    const [shown, hidden] = [await channel(), await channel('Cisternas')];
    await write(shown, 'cisterna uno', 'cisterna dos');
    await write(hidden, 'cisterna tres');
    const { data } = await search('cisterna', { channel: hidden._id });
    assert.equal(data.length, 1);
    await hideContent(forum(), hidden._id);
    await hideContent(forum(), `${shown._id}-1`);
    await write(shown, 'cisterna cuatro');
    const fourth = apiRoutes.channelComment(shown._id, 3);
    await forum().json('DELETE', fourth, { token: site.person.token });
    const found = await search('cisterna');
    assert.deepEqual(textsOf(found), ['cisterna dos']);
    assert.deepEqual([found.next, found.channels], [null, []]);
    await expectProblem(
      await forum().call('GET', searchPath('cisterna', { channel: hidden._id })),
      404,
      'channel_not_found',
    );
    await showContent(forum(), hidden._id);
    await showContent(forum(), `${shown._id}-1`);
    const again = await search('cisternas');
    assert.deepEqual(textsOf(again), ['cisterna tres', 'cisterna dos', 'cisterna uno']);
    assert.equal(again.channels[0]?.name, 'Cisternas');
  });

  test('channels are on the first page, those by name first, and not within a channel', async () => {
    const plain = await channel('Albercas del sur');
    for (const name of ['Alberca vieja', 'Otro', 'La alberca', 'Mi alberca', 'Una', 'Alberca']) {
      await forum().json<Channel>('POST', apiRoutes.channels, {
        token: site.person.token,
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

  test('orders by relevance, first texts in which the words follow each other, then all others, newest first', async () => {
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

  test('the order by relevance continues beyond the texts that are checked for phrases', async () => {
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

  test('hits in a wider sense follow fewer than ten exact ones, also on later pages', async () => {
    const one = await channel();
    await write(one, 'Trajeron un botijo', 'El botijo que traje', 'traer botijos');
    const texts = ['traer botijos', 'El botijo que traje', 'Trajeron un botijo'];
    for (const sort of ['new', 'relevance']) {
      for (const limit of [1, 20]) {
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

  test('if nothing has all words, results lack one word, or else two, but never more than half', async () => {
    const one = await channel();
    const three = ['Almirez, mortero y bronce', 'El bronce de morteros y almireces'];
    const two = ['Un almirez de bronce', 'Otro almirez viejo de bronce', 'mortero bronce'];
    await write(one, 'Un almirez', ...three, ...two, 'oculto: bronce, mortero, almirez');
    await hideContent(forum(), `${one._id}-7`);
    const q = 'el almirez, un mortero, el bronce y la piedra';
    const parameters = { channel: one._id };
    for (const sort of ['new', 'relevance']) {
      for (const limit of [1, 20]) {
        const page = { ...parameters, sort, limit };
        const pages = await allTexts(q, page);
        assert.deepEqual(pages.flat(), three.toReversed(), `${sort} ${limit}`);
        const lackingTwo = await allTexts('almirez piedra bronce yunque', page);
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

  test('channels have all words except function words, or else lack one word and are marked', async () => {
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

  test('corrects misspelt words only when nothing is found, says so, and leads to visible hits', async () => {
    const one = await channel();
    await write(
      one,
      'la cigüeña volvió',
      'una montana de papel',
      'Croquetas de alubias',
      'oculto: tranvía',
    );
    await hideContent(forum(), `${one._id}-4`);
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

  test('a name finds the person and their comments, to which the search can be limited', async () => {
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
        await forum().call('GET', searchPath('tejadillo', { author })),
        404,
        'user_not_found',
      );
    }
  });
});
