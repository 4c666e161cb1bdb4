import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import type { StoredFile } from '../../../shared/images.ts';

onBothEngines('a person whose content is all hidden', (forum) => {
  test('is neither named nor counted in thanks until the decision is undone', async () => {
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
      return [data[0]?.thanks.names, list.data.map(({ name }) => name), data[0]?.thanks.count];
    };
    const both = ['Eva', 'Insulto Grave'];
    assert.deepEqual(await read(), [both, both, 2]);
    // On PostgreSQL, caches are updated a moment later.
    const becomes = (what: string, expected: unknown[]) =>
      eventually(what, async () => isDeepStrictEqual(await read(), expected));
    const hidden = await decided(forum(), eva, { subject: user(raider), action: 'hideAll' });
    await becomes('it is neither named nor counted', [['Eva'], ['Eva'], 1]);
    const thank = (method: 'PUT' | 'DELETE') =>
      forum().json(method, apiRoutes.thanks(_id, 1), { token: raider.token });
    await thank('DELETE');
    await undone(forum(), eva, hidden);
    await becomes('it took its thanks back', [['Eva'], ['Eva'], 1]);
    await thank('PUT');
    const again = await decided(forum(), eva, { subject: user(raider), action: 'hideAll' });
    await undone(forum(), eva, again);
    await becomes('it is named again', [['Insulto Grave', 'Eva'], ['Insulto Grave', 'Eva'], 2]);
  });

  test('has no image shown to anybody, even outside comments, until the decision is undone', async () => {
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
    const hidden = await decided(forum(), eva, { subject: user(raider), action: 'hideAll' });
    assert.deepEqual(await statuses(), [404, 404]);
    await undone(forum(), eva, hidden);
    assert.deepEqual(await statuses(), [200, 200]);
  });
});
