import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, staff, undone } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import { readAudit } from '../../database/audit-log.ts';

onEngine('sqlite', 'pinned channels', (forum) => {
  const pin = ({ token }: Person, { _id }: Channel, pinned: unknown = true, more = {}) =>
    forum().call('PATCH', apiRoutes.channel(_id), { token, body: { pinned, ...more } });
  const list = (query = '') => forum().json<ChannelPage>('GET', apiRoutes.channels + query);
  const pinnedNames = async () => (await list()).pinned?.map(({ name }) => name);

  test('an admin pins up to three channels, which the first page lists separately, and the list itself stays the same', async () => {
    const admin = await staff(forum(), 'admin');
    const ana = await forum().person('Ana');
    const channels: Channel[] = [];
    for (const name of ['Uno', 'Dos', 'Tres', 'Cuatro'])
      channels.push(await forum().channel(ana, name));
    const [one, two, three, four] = channels as [Channel, Channel, Channel, Channel];
    const before = await list();
    assert.deepEqual(before.pinned, []);
    for (const channel of [one, two, three, three]) {
      const answer = (await (await pin(admin, channel)).json()) as Channel;
      assert.deepEqual([answer.isPinned, answer.revision], [true, 1]);
    }
    await expectProblem(await pin(admin, four), 409, 'too_many_pinned');
    const after = await list();
    assert.deepEqual(
      after.pinned?.map(({ name }) => name),
      ['Tres', 'Dos', 'Uno'],
    );
    assert.deepEqual(
      after.data.map(({ _id }) => _id),
      before.data.map(({ _id }) => _id),
    );
    const first = await list('?limit=2&sort=new');
    assert.equal(first.pinned?.length, 3);
    assert.equal((await list(`?limit=2&sort=new&after=${first.next}`)).pinned, undefined);

    await pin(admin, two, false);
    assert.deepEqual(await pinnedNames(), ['Tres', 'Uno']);
    const subject = { kind: 'channel', id: three._id } as const;
    const decision = await decided(forum(), admin, { subject, action: 'hide' });
    assert.deepEqual(await pinnedNames(), ['Uno'], 'a hidden channel is not listed');
    await pin(admin, two);
    await pin(admin, four);
    await undone(forum(), admin, decision);
    assert.deepEqual(await pinnedNames(), ['Cuatro', 'Dos', 'Tres'], 'three at most');
    const actions = (await readAudit(forum().services.db, 100)).map(({ action }) => action);
    assert.deepEqual(
      actions.filter((action) => action.endsWith('pin-channel')),
      ['pin-channel', 'pin-channel', 'pin-channel', 'unpin-channel', 'pin-channel', 'pin-channel'],
    );
  });

  test('refuses everybody else, unknown channels and other changes, and pins nothing', async () => {
    const [admin, moderator] = [await staff(forum(), 'admin'), await staff(forum())];
    const ana = await forum().person('Ana');
    const channel = await forum().channel(ana, 'Cine');
    for (const person of [ana, moderator])
      await expectProblem(await pin(person, channel), 403, 'staff_only');
    await expectProblem(await pin(admin, { ...channel, _id: 'no' }), 404, 'channel_not_found');
    await expectProblem(await pin(admin, channel, 'sí'), 400, 'invalid_fields');
    await expectProblem(await pin(admin, channel, true, { name: 'Otro' }), 400, 'invalid_fields');
    assert.deepEqual(await forum().json('GET', apiRoutes.channel(channel._id)), channel);
  });
});
