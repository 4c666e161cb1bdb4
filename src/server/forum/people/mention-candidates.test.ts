import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { restrictAccount } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { MentionCandidates } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';

onBothEngines('people to mention', (forum, _wait, engine) => {
  const candidates = async ({ token }: Person, channel: string, prefix: string) => {
    const url = withQuery(apiRoutes.users, { channel, prefix });
    return (await forum().json<MentionCandidates>('GET', url, { token })).data;
  };

  test('are found whatever the case and the accents of their names', async () => {
    const owner = await forum().person('Zoe');
    const { _id } = await forum().channel(owner);
    const names = [
      ['Íñigo Núñez', 'ini', 'IÑIGO nun', 'i\u0301n', 'ÍÑ'],
      ['Strauß', 'straus', 'STRAUSS', 'Strauß'],
      ['İlker', 'il', 'İL'],
      ['Ｆｕｌｌ Width', 'full w'],
      ['Σίσυφος', 'ΣΙΣΥΦΟΣ', 'σισυφοσ'],
      ['🦖 Dino', '🦖'],
      ['100% _real_', '100%', '100% _'],
      ['\u{10ffff}x', '\u{10ffff}'],
    ] as const;
    const people = await Promise.all(names.map(([name]) => forum().person(name)));
    for (const [index, [name, ...prefixes]] of names.entries()) {
      for (const prefix of prefixes) {
        const found = await candidates(owner, _id, prefix);
        assert.deepEqual(
          found.map(({ id }) => id),
          [people[index]?.id],
          `${name} by ${prefix}`,
        );
      }
    }
    for (const prefix of ['%', '_']) assert.deepEqual(await candidates(owner, _id, prefix), []);
  });

  test('are people of the channel, most recent first, then others by name, by the beginning of any word', async () => {
    const owner = await forum().person('Owen');
    const { _id } = await forum().channel(owner);
    const names = ['Íñigo Zabala', 'Uxía Pérez-Zabála', 'Zabaleta Gil', 'Marta Zabala Ortuño'];
    for (const name of names) await forum().person(name);
    const early = await forum().person('Nora Zabala');
    const late = await forum().person('ZÁNGEL');
    const disabled = await forum().person('Zas Spam');
    const hidden = await forum().person('Zas Oculta');
    for (const one of [late, early, owner, disabled, late]) await forum().comment(one, _id, 'Hola');
    await operate(forum(), 'disable', disabled.email);
    await restrictAccount(forum(), hidden, 'hideAll');
    const found = async (prefix: string) =>
      (await candidates(owner, _id, prefix)).map(({ name }) => name);
    const [íñigo, uxía, zabaleta, marta] = names;
    assert.deepEqual(await found('za'), ['ZÁNGEL', 'Nora Zabala', zabaleta, íñigo, marta, uxía]);
    assert.deepEqual(await found('ZÁBALA'), ['Nora Zabala', íñigo, marta, uxía]);
    assert.deepEqual(await found('zabala o'), [marta]);
    assert.deepEqual(await found('ortuno'), [marta]);
    assert.deepEqual(await found('abala'), []);
    assert.deepEqual(await found('zabala nora'), []);
    assert.deepEqual(await found('owen'), [], 'not the caller');
    assert.deepEqual(await found(''), ['ZÁNGEL', 'Nora Zabala'], 'only those of the channel');
    const all = await candidates(owner, _id, 'za');
    assert.deepEqual(
      all.map(({ lastCommentAt }) => lastCommentAt !== null),
      [true, true, false, false, false, false],
    );
    assert.deepEqual(Object.keys(all[0] ?? {}).sort(), ['id', 'img', 'lastCommentAt', 'name']);
  });

  // The tests below do not depend on the engine.
  if (engine === 'postgres') return;

  test('are at most eight', async () => {
    const owner = await forum().person('Marta');
    const { _id } = await forum().channel(owner);
    for (let i = 0; i < 10; i++) {
      const one = await forum().person(`Marta ${i}`);
      if (i >= 7) await forum().comment(one, _id, 'Hola');
    }
    const found = await candidates(owner, _id, 'marta');
    const endings = found.map(({ name }) => name.slice(-1)).join('');
    assert.equal(endings, '98701234', 'the caller takes no place');
  });

  test('are offered in known channels only, also for an invisible prefix', async () => {
    const person = await forum().person();
    for (const channel of ['nada', '', "' or 1=1"]) {
      const url = withQuery(apiRoutes.users, { channel, prefix: 'an' });
      const response = await forum().call('GET', url, person);
      await expectProblem(response, 404, 'channel_not_found');
    }
    const { _id } = await forum().channel(person);
    assert.deepEqual(await candidates(person, _id, '\u200b'), []);
  });
});
