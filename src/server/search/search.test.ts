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

  test('a page of long comments is short, and the next one goes on', async () => {
    const one = await channel();
    for (let number = 1; number <= 12; number++) await write(one, 'hito');
    const { db } = forum().deps;
    const text = toStoredText(`hito ${'🦖'.repeat(9_990)}`);
    await db.updateTable('comments').set({ text }).where('channel_id', '=', one._id).execute();
    const pages: number[][] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await search('hito', { limit: 100, after: after ?? null });
      pages.push(page.data.map(({ comment }) => comment.number));
      after = page.next;
    }
    assert.deepEqual(
      pages.flat(),
      Array.from({ length: 12 }, (_, index) => 12 - index),
    );
    assert.deepEqual(
      pages.map(({ length }) => length),
      [5, 5, 2],
    );
  });

  test('a channel with thousands of comments that was hidden leaves no empty pages behind', async () => {
    const [shown, hidden] = [await channel(), await channel('Faros')];
    await write(shown, 'un malecón', 'dos malecones');
    const { transact } = forum().deps;
    await transact('test', async (trx) => {
      for (let number = 1; number <= 1300; number++) {
        const place = { channelId: hidden._id, number };
        const text = toStoredText('malecón');
        const row = { channel_id: hidden._id, number, account_id: person.id, text };
        await trx
          .insertInto('comments')
          .values({ ...row, created_at_ms: number })
          .execute();
        await indexNewComment(trx, place, row.text);
      }
    });
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

  test('orders by relevance: words together, in order, spelled as typed, in short texts', async () => {
    const one = await channel();
    const ordered = [
      'Un chipirón plancha',
      'A chipirón plancha se le puede añadir perejil, ajo y un poco de aceite de oliva del bueno',
      'Chipiron plancha',
      'Plancha para un chipirón',
      'La plancha de mi abuela servía para todo, también para asar despacio algún que otro chipirón',
    ];
    await write(one, ...ordered, ...Array.from({ length: 3 }, () => 'nada'));
    const parameters = { sort: 'relevance', limit: 2 };
    const pages = await allTexts('chipirón plancha', parameters, () =>
      write(one, 'chipirón plancha'),
    );
    assert.deepEqual(pages.flat(), ordered);
    await write(one, 'El tucán', 'Un tucan gris', 'Los tucanes');
    const withMark = await search('tucán', { sort: 'relevance' });
    assert.deepEqual(textsOf(withMark), ['El tucán', 'Los tucanes', 'Un tucan gris']);
    const without = await search('tucan', { sort: 'relevance' });
    assert.deepEqual(textsOf(without), ['El tucán', 'Un tucan gris', 'Los tucanes']);
  });

  test('the last word is a prefix only while somebody types', async () => {
    await write(await channel(), 'anochecer en el puerto');
    assert.deepEqual(textsOf(await search('anoche')), []);
    assert.deepEqual(textsOf(await search('anoche', { typing: 1 })), ['anochecer en el puerto']);
  });

  test('suggests the spelling with or without ñ that has hits, only when nothing is found', async () => {
    const one = await channel();
    await write(one, 'la cigüeña volvió', 'una montana de papel');
    const { suggestion, data } = await search('ciguena');
    assert.deepEqual([suggestion, data], ['cigueña', []]);
    assert.equal((await search('montaña', { channel: one._id })).suggestion, 'montana');
    assert.equal((await search('cigüeña')).suggestion, null);
    assert.equal((await search('xilofonista')).suggestion, null);
  });

  test('refuses what it cannot search for, and says what to do', async () => {
    for (const [q, advice] of [
      ['', /al menos una palabra/],
      [' \u0000\t', /al menos una palabra/],
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
    const unknown = urlOf('hola', { channel: 'nada\u0000' });
    await expectProblem(await forum().call('GET', unknown), 404, 'channel_not_found');
    // As long as a text may be once its accents are one character with their letter.
    assert.deepEqual((await search('n\u0303'.repeat(200))).data, []);
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
