import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../test/eventually.ts';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { decided, staff, undone, user } from '../../../test/forum/moderators.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { CommentPage } from '../../shared/comments.ts';
import type { StoredFile } from '../../shared/images.ts';
import { decide } from './decide.ts';

onBothEngines('a person whom a wave hides', (forum) => {
  test('is not named among those who gave thanks until it is undone', async () => {
    const eva = await staff(forum());
    const ana = await forum().person('Ana');
    const raider = await forum().person('Insulto Grave');
    const { _id } = await forum().channel(ana);
    await forum().comment(ana, _id, 'Hola');
    for (const { token } of [raider, eva])
      await forum().json('PUT', apiRoutes.thanks(_id, 1), { token });
    const read = async () => {
      const { data } = await forum().json<CommentPage>('GET', apiRoutes.channelComments(_id));
      const url = apiRoutes.thanks(_id, 1);
      const list = await forum().json<{ data: { name: string }[] }>('GET', url);
      return [data[0]?.thanks.names, list.data.map(({ name }) => name)];
    };
    const both = ['Eva', 'Insulto Grave'];
    assert.deepEqual(await read(), [both, both]);
    // The content would follow in steps. Names are gone at once.
    const moderator = { ...forum().deps, callerId: eva.id, actor: eva.id, note: '' };
    const wave = await decide(moderator, {
      ...{ subject: user(raider), action: 'hideAll', category: 'abuse', reason: 'Insulta.' },
      ...{ days: null, version: undefined },
    });
    // On PostgreSQL the caches follow a moment later.
    const becomes = (what: string, expected: string[][]) =>
      eventually(what, async () => isDeepStrictEqual(await read(), expected));
    await becomes('it is not named', [['Eva'], ['Eva']]);
    await undone(forum(), eva, { id: wave });
    await becomes('it is named again', [both, both]);
  });

  test('shows nobody what it uploaded, also without a comment, until it is undone', async () => {
    const eva = await staff(forum());
    const raider = await forum().person('Insulto Grave');
    const png = await quarters(60, 40).png().toBuffer();
    const upload = await forum().upload(raider, png, { use: 'comment' });
    const { downloadURL, fullPath } = (await upload.json()) as StoredFile;
    const statuses = () =>
      Promise.all(
        [downloadURL, apiRoutes.storedFile(fullPath)].map(
          async (url) => (await forum().call('GET', url)).status,
        ),
      );
    assert.deepEqual(await statuses(), [200, 200]);
    const wave = await decided(forum(), eva, { subject: user(raider), action: 'hideAll' });
    assert.deepEqual(await statuses(), [404, 404]);
    await undone(forum(), eva, wave);
    assert.deepEqual(await statuses(), [200, 200]);
  });
});
