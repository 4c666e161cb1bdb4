import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, staff, undone } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import { readAudit } from '../../database/audit-log.ts';

onBothEngines('pinned channels', (forum) => {
  const pin = ({ token }: Person, { _id }: Channel, pinned: unknown = true, more = {}) =>
    forum().call('PATCH', apiRoutes.channel(_id), { token, body: { pinned, ...more } });
  const list = (query = '') => forum().json<ChannelPage>('GET', apiRoutes.channels + query);
  const pinnedNames = async () => (await list()).pinned?.map(({ name }) => name);

  test('an admin pins up to three channels, which the first page has apart; the list stays as it was', async () => {
    const admin = await staff(forum(), 'admin');
    const ana = await forum().person('Ana');
    const names = ['Uno', 'Dos', 'Tres', 'Cuatro'];
    const channels: Channel[] = [];
    for (const name of names) channels.push(await forum().channel(ana, name));
    const [one, two, three, four] = channels as [Channel, Channel, Channel, Channel];
    const before = await list();
    assert.deepEqual(before.pinned, []);
    for (const channel of [one, two, three]) {
      const answer = (await (await pin(admin, channel)).json()) as Channel;
      assert.deepEqual([answer.isPinned, answer.revision], [true, 1]);
    }
    await pin(admin, three);
    assert.deepEqual(await pinnedNames(), ['Tres', 'Dos', 'Uno']);
    await expectProblem(await pin(admin, four), 409, 'too_many_pinned');
    const { data, next } = await list();
    assert.deepEqual(
      data.map(({ _id }) => _id),
      before.data.map(({ _id }) => _id),
    );
    assert.equal(next, null);
    const first = await list('?limit=2&sort=new');
    assert.equal(first.pinned?.length, 3);
    assert.equal((await list(`?limit=2&sort=new&after=${first.next}`)).pinned, undefined);

    await pin(admin, two, false);
    assert.deepEqual(await pinnedNames(), ['Tres', 'Uno']);
    const decision = await decided(forum(), admin, {
      subject: { kind: 'channel', id: three._id },
      action: 'hide',
      category: 'spam',
    });
    assert.deepEqual(await pinnedNames(), ['Uno'], 'what is hidden is not shown');
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

  test('others than admins cannot pin, also not their own channel, and a pin changes nothing else', async () => {
    const [admin, moderator] = [await staff(forum(), 'admin'), await staff(forum())];
    const ana = await forum().person('Ana');
    const channel = await forum().channel(ana, 'Cine');
    for (const person of [ana, moderator]) {
      await expectProblem(await pin(person, channel), 403, 'staff_only');
    }
    await expectProblem(await pin(admin, { ...channel, _id: 'no' }), 404, 'channel_not_found');
    await expectProblem(await pin(ana, channel, 'sí'), 400, 'invalid_fields');
    await expectProblem(await pin(ana, channel, true, { name: 'Otro' }), 400, 'invalid_fields');
    const read = await forum().json<Channel>('GET', apiRoutes.channel(channel._id));
    assert.deepEqual([read.isPinned, read.name], [false, 'Cine']);
  });
});
