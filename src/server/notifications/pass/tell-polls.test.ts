import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { hideContent, restrictAccount } from '../../../../test/forum/moderators.ts';
import { insertVoters, newPoll, polledChannel, vote } from '../../../../test/forum/polls.ts';
import { ReviewedForum } from '../../../../test/forum/reviewed-forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { notificationKinds } from '../../../shared/notification-kinds.ts';
import type { Notification, NotificationPage } from '../../../shared/notifications.ts';
import { withQuery } from '../../../shared/routes.ts';
import { tellInOneProcess } from './start-telling.ts';
import { closePolls } from './tell-polls.ts';

const hourMs = 3_600_000;

onBothEngines('the result of a poll', (forum, wait) => {
  const close = () => closePolls(forum().services);
  const told = async (person: Person) => {
    const { token } = await forum().newSession(person);
    const { data } = await forum().json<NotificationPage>('GET', apiRoutes.notifications, {
      token,
    });
    return data.filter((one): one is Notification => one.kind === 'poll');
  };
  const countRows = async (channelId: string) => {
    const rows = forum().services.db.selectFrom('notifications').select('id');
    return (await rows.where('channel_id', '=', channelId).where('kind', '=', 'poll').execute())
      .length;
  };
  const people = async () => ({
    ana: await forum().person('Ana'),
    bea: await forum().person('Bea'),
    leo: await forum().person('Leo'),
  });

  test('is told once to its author and those who voted, when it is closed, and is new although the comment was read', async () => {
    const { ana, bea, leo } = await people();
    const { id } = await polledChannel(forum(), ana, { secret: true });
    await vote(forum(), bea, id, [1]);
    await close();
    assert.equal(await countRows(id), 0);
    const body = { channelId: id, number: 1 };
    await forum().json('PUT', apiRoutes.reads, { token: bea.token, body });
    wait(hourMs);
    await Promise.all([close(), close()]);
    await close();
    const [notification, ...others] = await told(bea);
    assert.ok(notification && others.length === 0);
    assert.equal(notification.isNew, true);
    assert.match(notification.excerpt, /^Han votado menos de 3 personas/);
    assert.deepEqual(
      notificationKinds.poll
        .title(notification)
        .map((part) => (typeof part === 'string' ? part : Object.values(part)[0])),
      ['Resultado de la encuesta de ', 'Ana', ' en ', 'Excursiones'],
    );
    assert.deepEqual([(await told(ana)).length, await told(leo)], [1, []]);
  });

  test('is told once by the first pass when its time came while no server ran', async () => {
    const { ana, bea } = await people();
    const { id } = await polledChannel(forum(), ana);
    await vote(forum(), bea, id, [1]);
    wait(30 * 24 * hourMs);
    for (const pass of [0, 1])
      await tellInOneProcess(
        { ...forum().services, log: forum().app.log },
        { isMailing: false, passedMs: pass },
      );
    assert.equal(await countRows(id), 2);
  });

  test('is told to nobody when the comment is hidden then, nor later, nor to who may not read', async () => {
    const { ana, bea, leo } = await people();
    const { id } = await polledChannel(forum(), ana);
    const { id: hidden } = await polledChannel(forum(), ana);
    for (const channel of [id, hidden])
      for (const person of [bea, leo]) await vote(forum(), person, channel, [1]);
    await hideContent(forum(), `${hidden}-1`);
    await restrictAccount(forum(), leo, 'suspend');
    wait(hourMs);
    await close();
    assert.deepEqual([await countRows(hidden), await countRows(id)], [0, 2]);
  });

  test('is told to five thousand voters', async () => {
    const ana = await forum().person('Ana');
    const { id } = await polledChannel(forum(), ana, { secret: true });
    const rows = (await insertVoters(forum(), 5000)).map((account_id) => ({
      ...{ channel_id: id, number: 1, account_id },
    }));
    for (let start = 0; start < rows.length; start += 100)
      await forum()
        .services.db.insertInto('secret_voters')
        .values(rows.slice(start, start + 100))
        .execute();
    wait(hourMs);
    await close();
    assert.equal(await countRows(id), 5001);
  });

  test('of a post that was approved after its closing time is told by the next pass', async () => {
    const posts = await ReviewedForum.start(forum());
    const bea = await forum().person('Bea');
    const poll = newPoll(forum());
    const pending = await posts.post(bea, '', { poll });
    assert.deepEqual(pending.poll, {
      ...poll,
      options: poll.options.map((option) => ({ ...option, start: null })),
    });
    wait(hourMs);
    const moderator = { ...posts.moderator, ...(await forum().newSession(posts.moderator)) };
    const queue = await forum().json(
      'GET',
      withQuery(apiRoutes.queue, { state: 'pending' }),
      moderator,
    );
    assert.match(JSON.stringify(queue), /Playa\\nSierra\\nPueblo/);
    assert.equal((await posts.approve(pending, moderator)).status, 201);
    const read = async () => (await forum().allComments(posts.channel._id)).at(-1)?.poll?.isClosed;
    assert.equal(await read(), false);
    await close();
    assert.deepEqual([await read(), (await told(bea)).length], [true, 1]);
  });
});
