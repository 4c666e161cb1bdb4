import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Forum, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { MentionCandidates } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';

const candidates = async (forum: Forum, { token }: Person, channel: string, prefix: string) => {
  const url = withQuery(apiRoutes.users, { channel, prefix });
  return (await forum.json<MentionCandidates>('GET', url, { token })).data;
};

onBothEngines('people to mention', (forum, _wait, engine) => {
  test('offers people of the channel, most recent first, then others by name', async () => {
    const owner = await forum().person('Andrés');
    const { _id } = await forum().channel(owner);
    const early = await forum().person('Ana Ruiz');
    const late = await forum().person('ÁNGEL');
    const others = await Promise.all(['Antonia', 'anabel', 'Berta'].map((n) => forum().person(n)));
    const disabled = await forum().person('Ana Spam');
    for (const one of [late, early, owner, disabled, late]) await forum().comment(one, _id, 'Hola');
    await operate(forum(), 'disable', disabled.email);

    const found = await candidates(forum(), owner, _id, 'An');
    assert.deepEqual(
      found.map(({ id }) => id),
      [late, early, others[1], others[0]].map((one) => one?.id),
    );
    assert.deepEqual(
      found.map(({ lastCommentAt }) => lastCommentAt !== null),
      [true, true, false, false],
    );
    assert.deepEqual(Object.keys(found[0] ?? {}).sort(), ['id', 'img', 'lastCommentAt', 'name']);
    const all = await candidates(forum(), owner, _id, '');
    assert.deepEqual(
      all.map(({ name }) => name),
      ['ÁNGEL', 'Ana Ruiz'],
    );
  });

  test('ignores case and accents when it compares names', async () => {
    const owner = await forum().person('Zoe');
    const { _id } = await forum().channel(owner);
    for (const [name, ...prefixes] of [
      ['Íñigo Núñez', 'ini', 'IÑIGO nun', 'i\u0301n', 'ÍÑ'],
      ['Strauß', 'straus', 'STRAUSS', 'Strauß'],
      ['İlker', 'il', 'İL'],
      ['Ｆｕｌｌ Width', 'full w'],
      ['Σίσυφος', 'ΣΙΣΥΦΟΣ', 'σισυφοσ'],
      ['🦖 Dino', '🦖'],
      ['100% _real_', '100%', '100% _'],
      ['\u{10ffff}x', '\u{10ffff}'],
    ] as const) {
      const { id } = await forum().person(name);
      for (const prefix of prefixes) {
        const found = await candidates(forum(), owner, _id, prefix);
        assert.deepEqual(
          found.map((one) => one.id),
          [id],
          `${name} by ${prefix}`,
        );
      }
    }
    assert.deepEqual(await candidates(forum(), owner, _id, '%'), []);
    assert.deepEqual(await candidates(forum(), owner, _id, '_'), []);
  });

  test('finds people by the beginning of any word of their name, after people whose whole name begins with it', async () => {
    const owner = await forum().person('Owen');
    const { _id } = await forum().channel(owner);
    const names = ['Íñigo Zabala', 'Uxía Pérez-Zabála', 'Zabaleta Gil', 'Marta Zabala Ortuño'];
    for (const name of names) await forum().person(name);
    const writer = await forum().person('Nora Zabala');
    await forum().comment(writer, _id, 'Hola');
    const found = async (prefix: string) =>
      (await candidates(forum(), owner, _id, prefix)).map(({ name }) => name);
    const [íñigo, uxía, zabaleta, marta] = names;
    assert.deepEqual(await found('za'), ['Nora Zabala', zabaleta, íñigo, marta, uxía]);
    assert.deepEqual(await found('ZÁBALA'), ['Nora Zabala', íñigo, marta, uxía]);
    assert.deepEqual(await found('zabala o'), [marta]);
    assert.deepEqual(await found('ortuno'), [marta]);
    assert.deepEqual(await found('abala'), []);
    assert.deepEqual(await found('zabala nora'), []);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('offers at most eight people', async () => {
    const owner = await forum().person();
    const { _id } = await forum().channel(owner);
    for (let i = 0; i < 10; i++) {
      const one = await forum().person(`Marta ${i}`);
      if (i >= 7) await forum().comment(one, _id, 'Hola');
    }
    const found = await candidates(forum(), owner, _id, 'marta');
    assert.deepEqual(
      found.map(({ name }) => name.slice(-1)),
      ['9', '8', '7', '0', '1', '2', '3', '4'],
    );
  });

  test('responds 404 for an unknown channel, and accepts an invisible prefix', async () => {
    const { token } = await forum().person();
    const get = (query: string) => forum().call('GET', `${apiRoutes.users}?${query}`, { token });
    for (const channel of ['nada', '', "' or 1=1"]) {
      const response = await get(`channel=${channel}&prefix=an`);
      await expectProblem(response, 404, 'channel_not_found');
    }
    const { _id } = await forum().channel(await forum().person());
    assert.equal((await get(`channel=${_id}&prefix=%E2%80%8B`)).status, 200);
  });
});
