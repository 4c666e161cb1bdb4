import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdf, zipOf } from '../../../test/attacks/hostile-files.ts';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../test/forum/forum.ts';
import { staff } from '../../../test/forum/moderators.ts';
import { bringChat, movingIn, uploadChat } from '../../../test/moving-in/bring-chat.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { CommentPage } from '../../shared/comments.ts';
import { withQuery } from '../../shared/routes.ts';
import type { SearchResults } from '../../shared/search.ts';
import { tellOfChannels } from '../notifications/pass/tell-channels.ts';
import { attemptErasures } from '../operation/housekeeping/housekeeping.ts';
import { buildIndex } from '../search-index/build-index.ts';

const hourMs = 3_600_000;
const textName = 'Chat de WhatsApp con Vecinos.txt';

onBothEngines('a chat that moves in', (forum, wait) => {
  let admin: Person;
  const setUp = async () => {
    admin ??= await staff(forum(), 'admin', 'Ada');
    await changeSettings(forum(), { readers: 'members', contact: 'Marga' });
    return admin;
  };
  const read = async (id: string) => {
    const url = withQuery(apiRoutes.channelComments(id), { limit: '100' });
    return (await forum().json<CommentPage>('GET', url, admin)).data;
  };
  const texts = async (id: string) =>
    (await read(id)).map(({ autor, comment }) => [autor, comment]);

  test('of Android becomes a closed channel with its old times, pictures and documents, and is found', async () => {
    await setUp();
    const picture = await quarters(40, 16).jpeg().toBuffer();
    const chat = [
      '15/3/22, 9:05 - Los mensajes y las llamadas están cifrados de extremo a extremo.',
      '15/3/22, 9:05 - Ana 🌻: El fontanero es\n600 00 00 00 y viene hoy',
      '15/3/22, 9:06 - +34 600 11 22 33: IMG-1.jpg (archivo adjunto)\nel portal',
      '16/3/22, 23:59 - Ana 🌻: acta.pdf (archivo adjunto)',
      '16/3/22, 23:59 - Ana 🌻: roto.jpg (archivo adjunto)',
      '17/3/22, 8:00 - Luz: Se eliminó este mensaje',
      '17/3/22, 8:01 - Luz: <Multimedia omitido>',
      '27/3/22, 2:30 - Luz: Vale',
    ].join('\n');
    const files = { 'IMG-1.jpg': picture, 'acta.pdf': pdf, 'roto.jpg': Buffer.from('no es') };
    const brought = await bringChat(forum(), admin, zipOf({ [textName]: chat, ...files }));
    const { channelId } = brought;
    assert.deepEqual([brought.done, brought.leftOut], [5, { older: 0, images: 1, files: 0 }]);

    const comments = await read(channelId);
    assert.deepEqual(
      comments.map(({ number, autor, comment, createdAt }) => [number, autor, comment, createdAt]),
      [
        [1, 'Ana 🌻', 'El fontanero es\n600 00 00 00 y viene hoy', '2022-03-15T08:05:00.000Z'],
        [2, 'Persona 1', 'el portal', '2022-03-15T08:06:00.000Z'],
        [3, 'Ana 🌻', '', '2022-03-16T22:59:00.000Z'],
        [4, 'Ana 🌻', '(adjunto que no se trajo: roto.jpg)', '2022-03-16T22:59:00.000Z'],
        // An hour that the clocks skipped.
        [5, 'Luz', 'Vale', '2022-03-27T01:30:00.000Z'],
      ],
    );
    assert.ok(comments.every(({ autorImported }) => autorImported));
    const [image] = comments[1]?.images ?? [];
    assert.equal((await forum().call('GET', image?.url ?? '', admin)).status, 200);
    assert.deepEqual(
      comments[2]?.files.map(({ name, type }) => [name, type]),
      [['acta.pdf', 'application/pdf']],
    );
    const channel = await forum().json<Channel>('GET', apiRoutes.channel(channelId), admin);
    assert.deepEqual(
      [channel.name, channel.autor, channel.commentCount, channel.createdAt, channel.lastCommentAt],
      ['Vecinos', 'Ada', 5, '2022-03-15T08:05:00.000Z', '2022-03-27T01:30:00.000Z'],
    );
    assert.notEqual(channel.closedAt, null);
    assert.equal((await movingIn(forum(), admin)).upload, null);

    await buildIndex(forum().services, new AbortController().signal);
    const url = withQuery(apiRoutes.search, { q: 'fontanero viene' });
    const { data } = await forum().json<SearchResults>('GET', url, admin);
    assert.equal(data[0]?.comment.id, comments[0]?.id);
  });

  test('of iOS has its seconds, and adds what is new when a longer file is brought, however often', async () => {
    await setUp();
    const lines = [
      '[15/03/24, 9:05:12] Coro: \u200eLos mensajes y las llamadas están cifrados de extremo a extremo.',
      '[15/03/24, 9:05:12] Ana: uno',
      '[15/03/24, 9:05:12] Luz: dos',
    ];
    const bring = (chat: string[], change = {}) =>
      bringChat(forum(), admin, zipOf({ '_chat.txt': chat.join('\r\n') }), {
        channel: 'Coro',
        ...change,
      });
    const { channelId } = await bring(lines);
    const longer = [
      ...lines.slice(0, 2),
      '[15/03/24, 9:05:12] Luz: dos',
      '[15/03/24, 9:05:12] Luz: tres',
      '[16/03/24, 10:00:00] ~ Eva: cuatro',
    ];
    const expected = [
      ['Ana', 'uno'],
      ['Luz', 'dos'],
      ['Luz', 'tres'],
      ['Eva', 'cuatro'],
    ];
    for (const _ of [1, 2]) {
      const again = await bring(longer);
      assert.deepEqual([again.channelId, again.done, again.leftOut.older], [channelId, 4, 0]);
      assert.deepEqual(await texts(channelId), expected);
    }
    const older = ['[14/03/24, 8:00:00] Ana: antes', ...longer];
    assert.equal((await bring(older, { firstDay: '2024-03-14' })).leftOut.older, 1);
    assert.deepEqual(await texts(channelId), expected);
    const { db } = forum().services;
    const people = await db
      .selectFrom('imported_people')
      .selectAll()
      .where('channel_id', '=', channelId)
      .execute();
    assert.equal(people.length, 3);
    assert.doesNotMatch(JSON.stringify(people), /Luz|Eva/);

    const reopened = await forum().call('POST', apiRoutes.reopenChannel(channelId), admin);
    assert.equal(reopened.status, 200);
    await uploadChat(forum(), admin, zipOf({ '_chat.txt': longer.join('\n') }));
    const { upload } = await movingIn(forum(), admin);
    const plan = { ...upload?.plan, channel: 'Coro', zone: 'UTC' };
    const options = { token: admin.token, body: { plan } };
    const closed = await forum().call('POST', apiRoutes.movingIn, options);
    await expectProblem(closed, 409, 'import_closed');
  });

  test('of iOS has documents under their own names', async () => {
    await setUp();
    const chat = [
      '[15/03/24, 9:05:12] Ana: Presupuesto.pdf • \u200e1 página \u200e<adjunto: 00000004-Presupuesto.pdf>',
      '[15/03/24, 9:05:13] Ana: \u200e<adjunto: 20240315-acta.pdf>',
    ].join('\n');
    const files = { '00000004-Presupuesto.pdf': pdf, '20240315-acta.pdf': pdf };
    const bytes = zipOf({ '_chat.txt': chat, ...files });
    const { channelId } = await bringChat(forum(), admin, bytes, { channel: 'Papeles' });
    const names = (await read(channelId)).flatMap(({ files }) => files.map(({ name }) => name));
    assert.deepEqual(names, ['Presupuesto.pdf', '20240315-acta.pdf']);
  });

  test('tells members once that there is a channel, and followers of no comment', async () => {
    await setUp();
    const ana = await forum().person('Ana');
    wait(1000);
    const chat = zipOf({ [textName]: '1/2/23, 9:05 - Eva: hola\n1/2/23, 9:06 - Luz: adiós' });
    const { channelId } = await bringChat(forum(), admin, chat, { channel: 'Avisos' });
    wait(hourMs);
    await tellOfChannels(forum().services);
    await bringChat(forum(), admin, chat, { channel: 'Avisos' });
    wait(hourMs);
    await tellOfChannels(forum().services);
    const rows = await forum()
      .services.db.selectFrom('notifications')
      .select(['account_id', 'kind'])
      .where('channel_id', '=', channelId)
      .execute();
    assert.deepEqual(
      rows.filter(({ account_id }) => account_id === ana.id).map(({ kind }) => kind),
      ['channel'],
    );
    assert.ok(rows.every(({ kind }) => kind === 'channel'));
  });

  test('is taken back with its people while nobody else wrote there', async () => {
    await setUp();
    const picture = await quarters(40, 16).png().toBuffer();
    const chat = '1/2/23, 9:05 - Zenobia: a.png (archivo adjunto)\n1/2/23, 9:06 - Luz: adiós';
    const files = { [textName]: chat, 'a.png': picture };
    const { channelId } = await bringChat(forum(), admin, zipOf(files), { channel: 'Error' });
    const { token } = admin;
    await forum().call('POST', apiRoutes.reopenChannel(channelId), { token });
    const mine = await forum().comment(admin, channelId, 'aquí estamos');
    const undo = () => forum().call('DELETE', apiRoutes.movedIn(channelId), { token });
    await expectProblem(await undo(), 409, 'others_wrote');
    const { db } = forum().services;
    await db
      .deleteFrom('comments')
      .where('channel_id', '=', channelId)
      .where('number', '=', mine.number)
      .execute();
    const claimedBy = (claimed_by: string | null) =>
      db
        .updateTable('imported_people')
        .set({ claimed_by })
        .where('channel_id', '=', channelId)
        .execute();
    await claimedBy(admin.id);
    await expectProblem(await undo(), 409, 'others_wrote');
    await claimedBy(null);
    assert.equal((await undo()).status, 204);
    await expectProblem(await undo(), 404, 'import_not_found');
    await attemptErasures(forum().services, forum().app.log);
    for (const table of ['imports', 'imported_people', 'comments'] as const) {
      const rows = await db.selectFrom(table).select('channel_id').execute();
      assert.ok(!rows.some((row) => row.channel_id === channelId), table);
    }
    const names = await db.selectFrom('accounts').select('name').execute();
    assert.ok(!names.some(({ name }) => name === 'Zenobia'));
    const { rows } = { rows: await db.selectFrom('images').select('url').execute() };
    assert.ok(!rows.some(({ url }) => url.endsWith('a.png')));
  });
});
