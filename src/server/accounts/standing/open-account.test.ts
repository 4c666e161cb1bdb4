import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

onBothEngines('an account erased after its session was checked', (forum) => {
  for (const column of ['erased_at_ms', 'disabled_at_ms'] as const) {
    test(`stores nothing more (${column})`, async () => {
      const [ana, berta] = [await forum().person(), await forum().person()];
      const { _id } = await forum().channel(berta);
      await forum().comment(berta, _id, 'Hola');
      const { services } = forum();
      const { db, withTransaction, images } = services;
      const write = images.write.bind(images);
      const mark = (atMs: number | null) =>
        db.updateTable('accounts').set(column, atMs).where('id', '=', ana.id).execute();
      const as = { token: ana.token };
      const channel = { name: 'Cine', description: 'd', cover: '/default-avatar.svg' };
      const png = await quarters(320, 160).png().toBuffer();
      const sends = {
        comment: () =>
          forum().call('PUT', apiRoutes.comment, { ...as, body: { id: _id, comment: 'Tarde' } }),
        channel: () => forum().call('POST', apiRoutes.channels, { ...as, body: channel }),
        thanks: () => forum().call('PUT', apiRoutes.thanks(_id, 1), as),
        position: () =>
          forum().call('PUT', apiRoutes.reads, { ...as, body: { channelId: _id, number: 1 } }),
        image: () => forum().upload(ana, png, { use: 'comment' }),
      };
      const stored = async () =>
        Promise.all(
          (['comments', 'channels', 'comment_thanks', 'reading_positions', 'images'] as const).map(
            (table) =>
              db
                .selectFrom(table as 'comments')
                .select('account_id')
                .where('account_id', '=', ana.id)
                .execute(),
          ),
        );
      for (const [name, send] of Object.entries(sends)) {
        services.withTransaction = async (lockKey, work) => {
          await mark(1);
          return withTransaction(lockKey, work);
        };
        images.write = async (...object) => {
          await mark(1);
          return write(...object);
        };
        const response = await send();
        services.withTransaction = withTransaction;
        images.write = write;
        await mark(null);
        assert.equal(response.status, 401, name);
        await expectProblem(response, 401, 'not_signed_in');
      }
      assert.deepEqual((await stored()).flat(), []);
      for (const send of Object.values(sends)) assert.ok((await send()).ok);
      assert.ok((await stored()).every((rows) => rows.length > 0));
    });
  }
});
