import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { zipOf } from '../../../../test/attacks/hostile-files.ts';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { comment, decided, staff, user } from '../../../../test/forum/moderators.ts';
import { readZip } from '../../../../test/forum/read-zip.ts';
import { searchPath } from '../../../../test/forum/searching.ts';
import { bringChat, movingIn } from '../../../../test/moving-in/bring-chat.ts';
import { findImported, personLink } from '../../../../test/moving-in/imported-people.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import type { ClaimList } from '../../../shared/imported-people.ts';
import { withQuery } from '../../../shared/routes.ts';
import type { SearchResults } from '../../../shared/search.ts';
import type { InvitedBy } from '../../../shared/site-settings.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { attemptErasures } from '../../operation/housekeeping/housekeeping.ts';
import { buildIndex } from '../../search-index/build-index.ts';
import { giveWords } from './claimable.ts';
import { moveWords } from './move-words.ts';

const dayMs = 86_400_000;
const settings = { readers: 'members', contact: 'Marga' } as const;
const textName = 'Chat de WhatsApp con Vecinos.txt';
const lines = [
  '15/3/22, 9:05 - Zenobia: hola caracol',
  '15/3/22, 9:06 - Zenobia: adiós caracol',
  '15/3/22, 9:07 - Luz: hasta luego',
];
const chatOf = (more: string[] = [], files = {}) =>
  zipOf({ [textName]: [...lines, ...more].join('\n'), ...files });

onBothEngines('words of a chat that moved in', (forum, wait) => {
  let admin: Person;
  let made = 0;
  /** Brings a chat, and makes a link for the person who wrote most of it. */
  const begin = async (more: string[] = [], files = {}) => {
    admin ??= await staff(forum(), 'admin', 'Ada');
    await changeSettings(forum(), settings);
    const channel = `Vecinos ${made++}`;
    const { channelId } = await bringChat(forum(), admin, chatOf(more, files), { channel });
    await buildIndex(forum().services, new AbortController().signal);
    await moveWords(forum().services);
    const { id } = await findImported(forum(), admin, channelId, 'Zenobia');
    const link = await personLink(forum(), admin, channelId, id, 'claim');
    return { channelId, channel, id, code: codeOf(link), link };
  };
  const codeOf = (link: string) => /#([^/]+)/.exec(link)?.[1] ?? '';
  const claim = ({ token }: Person, invitation: string) =>
    forum().call('POST', apiRoutes.claims, { token, body: { invitation } });
  const claimed = async (person: Person, code: string) => {
    assert.equal((await claim(person, code)).status, 204);
    await moveWords(forum().services);
  };
  const claimsOf = async ({ token }: Person) =>
    (await forum().json<ClaimList>('GET', apiRoutes.claims, { token })).data;
  const read = async (channelId: string) => {
    const url = withQuery(apiRoutes.channelComments(channelId), { limit: '100' });
    return (await forum().json<CommentPage>('GET', url, admin)).data;
  };
  const authors = async (channelId: string) =>
    (await read(channelId)).map(({ autor, autorImported }) => (autorImported ? '' : '+') + autor);
  const takeBack = (channelId: string, id: string) =>
    forum().call('DELETE', apiRoutes.importedPersonClaim(channelId, id), admin);
  const count = async (channelId: string) =>
    (await forum().json<Channel>('GET', apiRoutes.channel(channelId), admin)).commentCount;
  /** Finds the person's words by a search for this author. */
  const found = async (author: string) => {
    const url = searchPath('caracol', { author });
    return (await forum().json<SearchResults>('GET', url, admin)).data.length;
  };

  test('go to the account that signs up by the link, which reading it does not use up', async () => {
    const { channelId, channel, code, link } = await begin(
      ['15/3/22, 9:08 - Zenobia: a.png (archivo adjunto)'],
      { 'a.png': await quarters(40, 16).png().toBuffer() },
    );
    await changeSettings(forum(), { ...settings, registration: 'invitation' });
    const invitation = link.replace('/register#', '');
    const body = { invitation };
    for (const _ of [1, 2]) {
      const from = await forum().json<InvitedBy>('POST', apiRoutes.invitedBy, { body });
      assert.equal(from.target, `/channel/${channelId}`);
      assert.deepEqual(from.words, { name: 'Zenobia', channel, comments: 3 });
    }
    const account = { name: 'Zeno Ruiz', email: `${randomUUID()}@ejemplo.es`, password: 'larga y' };
    const options = { body: { ...account, img: '/default-avatar.svg', invitation: code } };
    const { id } = await forum().json<{ id: string }>('POST', apiRoutes.signUp, options);
    await moveWords(forum().services);
    const zeno = '+Zeno Ruiz';
    assert.deepEqual(await authors(channelId), [zeno, zeno, 'Luz', zeno]);
    assert.equal(await count(channelId), 4);
    assert.equal(await found(id), 2);
    const person = await findImported(forum(), admin, channelId, 'Zenobia');
    const { imports } = await movingIn(forum(), admin);
    assert.equal(imports.find((one) => one.channelId === channelId)?.isClaimed, true);
    assert.deepEqual(
      [person.state, person.comments, person.claimedBy],
      ['claimed', 3, { id, name: 'Zeno Ruiz' }],
    );
    const { token } = await forum().newSession(account);
    const zip = await forum().call('GET', apiRoutes.export, { token });
    const files = [...readZip(Buffer.from(await zip.arrayBuffer())).keys()];
    assert.equal(files.filter((name) => /^imagenes\/\w+\.png$/.test(name)).length, 1);
  });

  test('go to one member, who may press twice, of several who open the link', async () => {
    const { channelId, id, code } = await begin();
    const older = code;
    const newer = codeOf(await personLink(forum(), admin, channelId, id, 'claim'));
    const invitedBy = (invitation: string) =>
      forum().call('POST', apiRoutes.invitedBy, { body: { invitation } });
    await expectProblem(await invitedBy(older), 403, 'invitation_required');
    const [ana, eva] = [await forum().person('Ana'), await forum().person('Eva')];
    await expectProblem(await claim(ana, older), 403, 'invitation_required');
    const both = await Promise.all([claim(ana, newer), claim(eva, newer)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [204, 403]);
    const winner = both[0]?.status === 204 ? ana : eva;
    assert.equal((await claim(winner, newer)).status, 204);
    await moveWords(forum().services);
    assert.deepEqual(await authors(channelId), [`+${winner.name}`, `+${winner.name}`, 'Luz']);
    for (const kind of ['claim', 'withdraw']) {
      const url = apiRoutes.importedPersonLink(channelId, id);
      const again = await forum().call('POST', url, { token: admin.token, body: { kind } });
      await expectProblem(again, 409, 'words_taken');
    }
    await expectProblem(await invitedBy(newer), 403, 'invitation_required');
  });

  test('are refused to whom an outdated look at the link lets claim them', async () => {
    const { channelId, id } = await begin();
    const { db } = forum().services;
    await db.updateTable('accounts').set({ deletion_at_ms: 1 }).where('id', '=', id).execute();
    const give = db
      .transaction()
      .execute((trx) => giveWords(trx, { id, channelId, claimedBy: null }, admin.id, 1));
    await assert.rejects(give, /words_taken/);
    await db.updateTable('accounts').set({ deletion_at_ms: null }).where('id', '=', id).execute();
  });

  test('are given by the last link alone, also once a second name is the same person, and not after withdrawal is asked for', async () => {
    const { channelId, id, code } = await begin();
    const { db } = forum().services;
    // The new name becomes the first one.
    await db
      .insertInto('imported_people')
      .values({ channel_id: channelId, source_hash: '!', account_id: id })
      .execute();
    const newer = codeOf(await personLink(forum(), admin, channelId, id, 'claim'));
    const eva = await forum().person('Eva');
    await expectProblem(await claim(eva, code), 403, 'invitation_required');
    const withdraw = await personLink(forum(), admin, channelId, id, 'withdraw');
    for (const choice of ['erase', 'cancel'])
      assert.equal((await forum().call('POST', `${withdraw}?choice=${choice}`)).status, 200);
    await expectProblem(await claim(eva, newer), 403, 'invitation_required');
  });

  test('stay hidden as they were, and go to nobody who is suspended or while all are hidden', async () => {
    const { channelId, id, code } = await begin();
    await decided(forum(), admin, { subject: comment(channelId, 1), action: 'hide' });
    const ana = await forum().person('Ana');
    await decided(forum(), admin, { subject: user(ana), action: 'suspend' });
    await expectProblem(await claim(ana, code), 403, 'suspended');
    const eva = await forum().person('Eva');
    await claimed(eva, code);
    assert.deepEqual(await authors(channelId), ['+Eva', 'Luz']);
    assert.equal(await count(channelId), 2);
    const luz = await findImported(forum(), admin, channelId, 'Luz');
    const link = await personLink(forum(), admin, channelId, luz.id, 'claim');
    await decided(forum(), admin, { subject: user(luz), action: 'hideAll' });
    await expectProblem(await claim(eva, codeOf(link)), 403, 'invitation_required');
    assert.equal((await takeBack(channelId, id)).status, 204);
    await moveWords(forum().services);
    assert.deepEqual(await authors(channelId), ['Zenobia']);
    assert.equal(await count(channelId), 1);
  });

  test('are taken back whole from a wrong claim, for 30 days', async () => {
    const { channelId, id, code } = await begin();
    const ana = await forum().person('Ana');
    await claimed(ana, code);
    await forum().json('DELETE', apiRoutes.channelComment(channelId, 1), ana);
    assert.equal(await count(channelId), 2);
    assert.equal((await claimsOf(ana))[0]?.comments, 2);
    const member = await forum().call('DELETE', apiRoutes.claim(id), await forum().person());
    await expectProblem(member, 404, 'claim_not_found');
    wait(29 * dayMs);
    admin = await forum().personOf(admin);
    assert.equal((await takeBack(channelId, id)).status, 204);
    await expectProblem(await takeBack(channelId, id), 404, 'claim_not_found');
    await moveWords(forum().services);
    assert.deepEqual(await authors(channelId), ['Zenobia', 'Zenobia', 'Luz']);
    assert.deepEqual([await count(channelId), await found(ana.id)], [3, 0]);
    await expectProblem(await claim(await forum().person(), code), 403, 'invitation_required');

    const eva = await forum().person('Eva');
    const again = codeOf(await personLink(forum(), admin, channelId, id, 'claim'));
    await claimed(eva, again);
    assert.equal((await forum().call('DELETE', apiRoutes.claim(id), eva)).status, 204);
    await moveWords(forum().services);
    assert.deepEqual(await claimsOf(eva), []);
    assert.deepEqual(await authors(channelId), ['Zenobia', 'Zenobia', 'Luz']);
  });

  test('are not changed by whoever claimed them, also when they are new', async () => {
    const [day, hour] = new Date(forum().services.now()).toISOString().split('T');
    const at = `${day?.slice(8)}/${day?.slice(5, 7)}/${day?.slice(2, 4)}, ${hour?.slice(0, 5)}`;
    const { channelId, code } = await begin([`${at} - Zenobia: de hoy`]);
    const ana = await forum().person('Ana');
    await claimed(ana, code);
    const edited = await forum().call('PATCH', apiRoutes.channelComment(channelId, 4), {
      token: ana.token,
      headers: { 'if-match': '"1"' },
      body: { comment: 'otra cosa' },
    });
    await expectProblem(edited, 409, 'edit_expired');
  });

  test('are for good after that, and nothing has the name from the chat', async () => {
    const { channelId, id, code } = await begin(['15/3/22, 9:08 - Quiteria: hola']);
    const quiteria = await findImported(forum(), admin, channelId, 'Quiteria');
    const link = await personLink(forum(), admin, channelId, quiteria.id, 'claim');
    const ana = await forum().person('Ana');
    await claimed(ana, codeOf(link));
    wait(30 * dayMs + 1);
    admin = await forum().personOf(admin);
    await expectProblem(await takeBack(channelId, quiteria.id), 404, 'claim_not_found');
    await eraseExpired(forum().services);
    await attemptErasures(forum().services, forum().app.log);
    assert.deepEqual(await findText(forum(), 'Quiteria'), []);
    assert.deepEqual(await authors(channelId), ['Zenobia', 'Zenobia', 'Luz', '+Ana']);
    const other = await claim(await forum().person(), code);
    await expectProblem(other, 403, 'invitation_required');
    assert.equal((await findImported(forum(), admin, channelId, 'Zenobia')).id, id);
  });

  test('go on to their account after a kill in the middle, and so does what a longer file adds', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `16/3/22, 9:05 - Zenobia: ${at} caracol`);
    const { channelId, channel, id, code } = await begin(many);
    const ana = await forum().person('Ana');
    assert.equal((await claim(ana, code)).status, 204);
    let batches = 0;
    const { db, withTransaction } = forum().services;
    const dying: typeof withTransaction = (key, work) =>
      ++batches > 1 ? Promise.reject(new Error('killed')) : withTransaction(key, work);
    await assert.rejects(moveWords({ db, withTransaction: dying }), /killed/);
    const moved = async () => {
      const rows = await db
        .selectFrom('comments')
        .select('number')
        .where('channel_id', '=', channelId)
        .where('account_id', '=', ana.id)
        .execute();
      return rows.length;
    };
    assert.equal(await moved(), 100);
    await moveWords(forum().services);
    assert.equal(await moved(), 152);
    // An import that was running when the words were claimed writes such a comment.
    await db
      .updateTable('comments')
      .set({ account_id: id })
      .where('channel_id', '=', channelId)
      .where('number', '=', 1)
      .execute();
    const after = ['17/3/22, 9:05 - Zenobia: lo último', '17/3/22, 9:06 - Luz: sí'];
    const again = await bringChat(forum(), admin, chatOf([...many, ...after]), { channel });
    assert.equal(again.channelId, channelId);
    await moveWords(forum().services);
    assert.equal(await moved(), 153);
  });

  test('are erased with the account that claimed them, and their person too', async () => {
    const { channelId, channel, id, code } = await begin();
    const ana = await forum().person('Ana');
    assert.equal((await claim(ana, code)).status, 204);
    await askForDeletion(forum(), ana, 'erase');
    const longer = (text: string) =>
      bringChat(forum(), admin, chatOf([`16/3/22, ${text}`]), { channel });
    await longer('9:05 - Zenobia: otra vez');
    wait(14 * dayMs + 1);
    for (const _ of [1, 2]) {
      await attemptErasures(forum().services, forum().app.log);
      wait(61_000);
    }
    await moveWords(forum().services);
    admin = await forum().personOf(admin);
    await longer('9:06 - Zenobia: y otra');
    assert.deepEqual(await authors(channelId), ['Luz']);
    const account = await forum()
      .services.db.selectFrom('accounts')
      .select(['name', 'erased_at_ms'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(account.name, 'cuenta eliminada');
    assert.notEqual(account.erased_at_ms, null);
  });
});
