import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { zipOf } from '../../../test/attacks/hostile-files.ts';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../test/forum/forum.ts';
import { comment, decided, staff, undone, user } from '../../../test/forum/moderators.ts';
import { operate } from '../../../test/forum/operator.ts';
import { searchPath } from '../../../test/forum/searching.ts';
import { bringChat, movingIn, uploadChat } from '../../../test/moving-in/bring-chat.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { CommentPage } from '../../shared/comments.ts';
import { pageRoutes, withQuery } from '../../shared/routes.ts';
import type { SearchResults } from '../../shared/search.ts';
import { findReach } from '../forum/announcements/reach.ts';
import { sweepUploads } from '../images/uploads/sweep-uploads.ts';
import { attemptErasures } from '../operation/housekeeping/housekeeping.ts';

const dayMs = 86_400_000;
const lines = [
  '15/3/22, 9:05 - Zenobia: hola',
  '15/3/22, 9:06 - Zenobia: adiós',
  '15/3/22, 9:07 - Luz: hasta luego',
];
const chatOf = (more: string[]) =>
  zipOf({ 'Chat de WhatsApp con Vecinos.txt': [...lines, ...more].join('\n') });
const chat = chatOf([]);
const members = { readers: 'members', contact: 'Marga' } as const;

onEngine('sqlite', 'imported people', (forum, wait) => {
  let admin: Person;
  const setUp = async () => {
    await changeSettings(forum(), members);
    admin ??= await staff(forum(), 'admin', 'Ada');
  };
  const list = async (channelId: string) =>
    (await forum().json<CommentPage>('GET', apiRoutes.channelComments(channelId), admin)).data;

  test('are named beside what they wrote, and are in no list and no account to anybody', async () => {
    await setUp();
    const { db } = forum().services;
    const reachBefore = await findReach(db, admin.id, undefined, Date.now());
    const { channelId } = await bringChat(forum(), admin, chat, { channel: 'Personas' });
    assert.deepEqual(await findReach(db, admin.id, undefined, Date.now()), reachBefore);
    await forum().call('POST', apiRoutes.reopenChannel(channelId), admin);
    const [first] = await list(channelId);
    assert.deepEqual([first?.autor, first?.autorImported], ['Zenobia', true]);
    const id = first?.autorId ?? '';
    const get = (url: string) => forum().call('GET', url, admin);
    for (const route of [apiRoutes.user, apiRoutes.userChannels, apiRoutes.userComments])
      await expectProblem(await get(route(id)), 404, 'user_not_found');
    assert.equal((await get(pageRoutes.user(id))).status, 404);
    const found = await forum().json<SearchResults>('GET', searchPath('zenobia'), admin);
    assert.deepEqual(found.people, []);
    for (const [url, q] of [
      [apiRoutes.users, { channel: channelId, prefix: 'zen' }],
      [apiRoutes.members, { q: 'zen' }],
    ] as const) {
      const { data } = await forum().json<{ data: unknown[] }>('GET', withQuery(url, q), admin);
      assert.deepEqual(data, [], url);
    }
    const mentions = [{ start: 0, length: 8, accountId: id }];
    const body = { id: channelId, comment: '@Zenobia a', mentions };
    const { token } = admin;
    const mention = await forum().call('PUT', apiRoutes.comment, { token, body });
    await expectProblem(mention, 400, 'invalid_fields');
    const report = (subject: object) =>
      forum().call('POST', apiRoutes.reports, { token, body: { ...subject, reason: 'spam' } });
    await expectProblem(await report({ kind: 'user', id }), 404, 'user_not_found');
    assert.equal((await report({ kind: 'comment', id: first?.id })).status, 202);
    const role = { token, body: { role: 'moderator' } };
    const given = await forum().call('PUT', apiRoutes.userRole(id), role);
    await expectProblem(given, 404, 'user_not_found');
    const link = await forum().call('POST', apiRoutes.passwordLink(id), { token });
    await expectProblem(link, 403, 'account_disabled');
    assert.match(await operate(forum(), 'accounts', 'zenobia'), /no account/);
    await assert.rejects(operate(forum(), 'enable', id), /user_not_found/);
    const reply = await forum().comment(admin, channelId, 'gracias', { replyTo: 1 });
    assert.equal(reply.replyAutor, 'Zenobia');
  });

  test('are suggested as they were decided when a longer file of the group comes, and so is who was left out', async () => {
    await setUp();
    const decided = [
      ['Quico', null],
      ['Mar', 'Marga'],
      ['Mar Trabajo', 'Marga'],
    ] as const;
    const groupOf = (more: string[]) => {
      const chat = decided.map(([source], at) => `15/3/22, 9:0${at} - ${source}: hola`);
      return zipOf({ 'Chat de WhatsApp con Vecinos.txt': [...chat, ...more].join('\n') });
    };
    const people = decided.map(([source, name]) => ({ source, name }));
    const first = groupOf([]);
    const { channelId } = await bringChat(forum(), admin, first, { channel: 'Decidido', people });
    const imports = await forum().services.db.selectFrom('imports').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(imports.filter(({ state }) => state === 'done')), /Quico/);
    const longer = groupOf(['15/3/22, 9:09 - Iris: hola']);
    await uploadChat(forum(), admin, longer, 'Chat de WhatsApp con Vecinos.zip');
    const { upload } = await movingIn(forum(), admin);
    assert.deepEqual(upload?.plan?.people, [...people, { source: 'Iris', name: 'Iris' }]);
    const more = await bringChat(forum(), admin, longer, { channel: 'Decidido' });
    assert.equal(more.channelId, channelId);
    const names = (await list(channelId)).map(({ autor }) => autor);
    assert.deepEqual(names, ['Marga', 'Marga', 'Iris']);
  });

  test('and what they wrote are hidden like those of members', async () => {
    await setUp();
    const { channelId } = await bringChat(forum(), admin, chat, { channel: 'Ocultas' });
    const [first] = await list(channelId);
    const channel = () => forum().json<Channel>('GET', apiRoutes.channel(channelId), admin);
    const hidden = await decided(forum(), admin, {
      subject: comment(channelId, 1),
      action: 'hide',
    });
    assert.equal((await list(channelId)).length, 2);
    await undone(forum(), admin, hidden);
    const person = user({ id: first?.autorId ?? '' });
    const all = await decided(forum(), admin, { subject: person, action: 'hideAll' });
    const longer = chatOf(['15/3/22, 9:08 - Zenobia: una más']);
    await bringChat(forum(), admin, longer, { channel: 'Ocultas' });
    assert.deepEqual([(await list(channelId)).length, (await channel()).commentCount], [1, 1]);
    await undone(forum(), admin, all);
    assert.deepEqual([(await list(channelId)).length, (await channel()).commentCount], [4, 4]);
  });

  test('stay when the admin who brought them is erased', async () => {
    await setUp();
    const ana = await staff(forum(), 'admin', 'Ana Admin');
    const { channelId } = await bringChat(forum(), ana, chat, { channel: 'De Ana' });
    await operate(forum(), 'erase-account', ana.id, '--now');
    wait(1000);
    await attemptErasures(forum().services, forum().app.log);
    assert.equal((await list(channelId)).length, 3);
    const { imports } = await movingIn(forum(), admin);
    assert.ok(imports.some((one) => one.channelId === channelId));
  });

  test('are brought by admins of a community of members alone, which opens only once that is confirmed', async () => {
    await setUp();
    const { channelId } = await bringChat(forum(), admin, chat, { channel: 'Cerrada' });
    const open = (more = {}) => changeSettings(forum(), { readers: 'everyone', ...more });
    const code = (error: unknown) => (error as { code: string }).code;
    await assert.rejects(open(), (error) => code(error) === 'imported_words_visible');
    await open({ showsImported: true });
    const refused = await forum().upload(admin, chat, { filename: 'a.zip', use: 'import' });
    await expectProblem(refused, 409, 'community_is_open');
    const member = await forum().person('Eva');
    const forbidden = await forum().upload(member, chat, { filename: 'a.zip', use: 'import' });
    await expectProblem(forbidden, 403, 'staff_only');
    await changeSettings(forum(), members);
    const other = await staff(forum(), 'admin', 'Otra');
    for (const one of (await movingIn(forum(), admin)).imports) {
      const subject = { kind: 'channel', id: one.channelId } as const;
      await decided(forum(), other, { subject, action: 'hide' });
    }
    assert.equal((await forum().call('GET', apiRoutes.channel(channelId), admin)).status, 404);
    await assert.rejects(open(), (error) => code(error) === 'imported_words_visible');
  });

  test('are suggested from the uploaded file, which is not served and is erased after a day', async () => {
    await setUp();
    const { token } = admin;
    const start = (body: object) => forum().call('POST', apiRoutes.movingIn, { token, body });
    await uploadChat(forum(), admin, Buffer.from('PK no es un zip'), '../../raro.zip');
    const { upload: broken } = await movingIn(forum(), admin);
    assert.match(broken?.problem ?? '', /ZIP/);
    await uploadChat(forum(), admin, chat, 'Chat de WhatsApp con Coro.zip');
    const { upload } = await movingIn(forum(), admin);
    assert.deepEqual(
      upload?.summary?.people.map(({ name, messages }) => [name, messages]),
      [
        ['Zenobia', 2],
        ['Luz', 1],
      ],
    );
    const plan = { ...upload?.plan, dates: 'day-month', people: [] };
    await expectProblem(await start({ plan }), 400, 'unusable_chat');
    wait(dayMs + 1000);
    await sweepUploads(forum().services);
    assert.equal((await movingIn(forum(), admin)).upload, null);
    assert.ok(!existsSync(path.join(forum().services.config.dataDir, 'moving-in')));
    const gone = await start({ plan: { ...plan, people: upload?.plan?.people } });
    await expectProblem(gone, 404, 'import_not_found');
  });
});
