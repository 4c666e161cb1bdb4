import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { ReviewedForum } from '../../../../test/forum/reviewed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Queue } from '../../../shared/moderation.ts';
import type { News } from '../../../shared/people.ts';
import { withoutSignature } from '../../http/field-parser.ts';

onEngine('sqlite', 'the queue of pending posts', (forum) => {
  let reviewed: ReviewedForum;
  before(async () => {
    reviewed = await ReviewedForum.start(forum());
  });

  test('the queue lists posts and accounts that wait, oldest first', async () => {
    const { db } = forum().services;
    for (const table of ['cases', 'pending_post_images', 'pending_posts'] as const)
      await db.deleteFrom(table).execute();
    const eva = await forum().person('Eva');
    const image = await quarters(49, 16).png().toBuffer();
    const upload = await forum().upload(eva, image, { use: 'comment' });
    const { downloadURL } = (await upload.json()) as { downloadURL: string };
    const url = withoutSignature(downloadURL);
    const first = await reviewed.post(eva, 'Hola a @Ana', {
      images: [{ url, alt: 'Cuatro' }],
      mentions: [{ start: 7, length: 4, accountId: reviewed.host.id }],
    });
    const asking = await forum().person('Rut');
    await db
      .updateTable('accounts')
      .set({ admission: 'pending', about: 'La vecina', disabled_at_ms: forum().services.now() })
      .where('id', '=', asking.id)
      .execute();
    const second = await reviewed.postChannel(eva);
    const { data, next, counts, isOpenToSpam } = await reviewed.pending();
    assert.deepEqual(
      data.map(({ subject, version, pendingReason, state, text, textNow }) => [
        ...[subject.id, version, pendingReason, state, text, textNow],
      ]),
      [
        [first.id, first.id, 'first_post', 'pending', 'Hola a @Ana', 'Hola a @Ana'],
        [asking.id, asking.id, 'sign_up', 'pending', 'La vecina', 'La vecina'],
        [second.id, second.id, 'first_post', 'pending', 'Bancal\n\nAcelgas', 'Bancal\n\nAcelgas'],
      ],
    );
    assert.deepEqual([next, counts, isOpenToSpam], [null, { open: 0, pending: 3 }, false]);
    const item = data[0];
    assert.equal(item?.context.channel?.name, reviewed.channel.name);
    assert.deepEqual(
      item?.context.before.map(({ comment }) => comment),
      (await forum().allComments(reviewed.channel._id)).slice(-2).map(({ comment }) => comment),
    );
    assert.equal(item?.author.id, eva.id);
    assert.equal(item?.refusal, null);
    assert.equal((await forum().call('GET', url)).status, 404);
    assert.equal((await forum().call('GET', item?.images[0]?.url ?? '')).status, 200);
    const { token } = reviewed.moderator;
    const news = await forum().json<News>('GET', apiRoutes.news, { token });
    assert.equal(news.pendingModeration, 3);
    const open = await forum().json<Queue>('GET', apiRoutes.queue, { token });
    assert.deepEqual([open.data, open.counts.pending], [[], 3]);
    for (let count = 0; count < 20; count++) await reviewed.post(await forum().person());
    const page = await reviewed.pending();
    assert.equal(page.data.length, 20);
    const rest = await reviewed.pending(`&after=${page.next}`);
    assert.equal(rest.data.length, 3);
    assert.equal(new Set([...page.data, ...rest.data].map(({ version }) => version)).size, 23);
    await changeSettings(forum(), {});
    assert.equal((await reviewed.pending()).isOpenToSpam, true);
    await changeSettings(forum(), { registration: 'closed' });
    assert.equal((await reviewed.pending()).isOpenToSpam, false);
    await reviewFirstPosts(forum());
  });
});
