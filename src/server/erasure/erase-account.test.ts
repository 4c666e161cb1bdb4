import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { findText } from '../../../test/forum/find-text.ts';
import { expectProblem, type Forum, type Person } from '../../../test/forum/forum.ts';
import { LiveReader } from '../../../test/forum/live-reader.ts';
import { operate } from '../../../test/forum/operator.ts';
import type { DeletedContent } from '../../shared/account-settings.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { StoredFile } from '../../shared/images.ts';
import { pageRoutes, searchUrl, withQuery } from '../../shared/routes.ts';
import { backupFolder } from '../backups/backup-folder.ts';
import { ledgerIn, readLedger } from '../backups/erasure-ledger.ts';
import { buildIndex } from '../search-index/build-index.ts';
import { eraseDueAccounts } from './erase-account.ts';

const dayMs = 86_400_000;
const name = 'Zoraida Quintanar';
const at = `@${name}`;

/** What a person leaves in a forum. */
async function fill(forum: Forum, email: string) {
  const zoraida = await forum.person(name, email);
  const berta = await forum.person('Berta');
  const upload = async (owner: Person, width: number, use: string) => {
    const png = await quarters(width, 160).png().toBuffer();
    const stored = await forum.upload(owner, png, { use, filename: `${use}-${width}.png` });
    const { fullPath } = (await stored.json()) as StoredFile;
    return `/files/${fullPath}`;
  };
  const img = await upload(zoraida, 200 + Math.floor(Math.random() * 1000), 'avatar');
  await forum.json('PUT', apiRoutes.updateImage, { token: zoraida.token, body: { img } });
  const own = await forum.channel(zoraida, 'Solo mío');
  await forum.comment(zoraida, own._id, 'Nadie más escribe');
  const shared = await forum.channel(zoraida, 'De las dos');
  await forum.comment(zoraida, shared._id, 'Hola, Berta');
  const mention = (start: number) => ({ start, length: at.length, accountId: zoraida.id });
  const bertas = (start: number) => ({ start, length: 6, accountId: berta.id });
  const write = (comment: string, more: object) => forum.comment(berta, shared._id, comment, more);
  await write(`Buenas ${at} y @Berta y ${at}.`, {
    mentions: [mention(7), bertas(7 + at.length + 3), mention(7 + at.length + 12)],
    replyTo: 1,
    replyExcerpt: 'Hola',
  });
  await write('La cito', { replyTo: 2, replyExcerpt: `uenas ${at.slice(0, 5)}` });
  await write(`Oculto ${at}`, { mentions: [mention(7)] });
  await write(`En la papelera ${at}`, { mentions: [mention(15)] });
  await write(`Antes ${at}`, { mentions: [mention(6)] });
  await write('Cito lo de antes', { replyTo: 6, replyExcerpt: `Antes ${at}` });
  await forum.json('PATCH', apiRoutes.channelComment(shared._id, 6), {
    token: berta.token,
    headers: { 'if-match': '"1"' },
    body: { comment: 'Ahora no' },
  });
  await operate(forum, 'hide', `${shared._id}-4`);
  await forum.json('DELETE', apiRoutes.channelComment(shared._id, 5), { token: berta.token });
  await forum.json('PUT', apiRoutes.thanks(shared._id, 2), { token: zoraida.token });
  await forum.json('PUT', apiRoutes.reads, {
    token: zoraida.token,
    body: { channelId: shared._id, number: 3 },
  });
  return { zoraida, berta, own, shared, img };
}

async function ask(forum: Forum, person: Person, content: DeletedContent): Promise<void> {
  const body = { currentPassword: person.password, content };
  await forum.json('DELETE', apiRoutes.me, { token: person.token, body });
}

/** Pages and answers of the API that showed the name before. */
async function readAll(forum: Forum, shared: Channel): Promise<string> {
  const texts: string[] = [];
  for (const url of [
    pageRoutes.home,
    pageRoutes.channel(shared._id),
    searchUrl({ q: 'Zoraida' }),
    apiRoutes.channels,
    apiRoutes.channelComments(shared._id),
    withQuery(apiRoutes.search, { q: 'berta' }),
    withQuery(apiRoutes.search, { q: 'eliminada' }),
  ]) {
    texts.push(await (await forum.call('GET', url)).text());
  }
  return texts.join('\n');
}

onBothEngines('an erased account', (forum, wait) => {
  let made = 0;
  const begin = async () => fill(forum(), `zoraida-${made++}@ejemplo.es`);
  const eraseNow = async () => {
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().deps);
    wait(60_001);
    await eraseDueAccounts(forum().deps);
  };
  const comments = async ({ _id }: Channel) =>
    (await forum().allComments(_id)).map(({ number, autor, comment, mentions, replyExcerpt }) => [
      number,
      autor,
      comment,
      mentions.map(({ start, name }) => `${start} ${name}`).join(),
      replyExcerpt,
    ]);

  test('leaves its texts without its name, which no row, page, picture or search shows', async () => {
    const { zoraida, shared, own, img } = await begin();
    await buildIndex(forum().deps, new AbortController().signal);
    assert.ok((await readAll(forum(), shared)).includes('Quintanar'));
    await ask(forum(), zoraida, 'anonymous');
    wait(14 * dayMs - 60_000);
    await eraseDueAccounts(forum().deps);
    assert.ok((await findText(forum(), zoraida.email)).length > 0);
    const reader = await LiveReader.open(forum(), shared._id);
    wait(60_001);
    await eraseDueAccounts(forum().deps);
    assert.deepEqual(await findText(forum(), zoraida.email), []);
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    assert.ok((await reader.next()).event);
    reader.close();
    wait(60_001);
    assert.equal(await eraseDueAccounts(forum().deps), 1);
    assert.equal(await eraseDueAccounts(forum().deps), 0);

    assert.ok(!(await readAll(forum(), shared)).includes('Quintanar'));
    assert.deepEqual(await comments(own), [[1, 'cuenta eliminada', 'Nadie más escribe', '', '']]);
    assert.deepEqual(await comments(shared), [
      [1, 'cuenta eliminada', 'Hola, Berta', '', ''],
      [2, 'Berta', 'Buenas @cuenta eliminada y @Berta y @cuenta eliminada.', '27 Berta', 'Hola'],
      [3, 'Berta', 'La cito', '', 'uenas @cuenta eliminada'],
      [6, 'Berta', 'Ahora no', '', ''],
      [7, 'Berta', 'Cito lo de antes', '', ''],
    ]);
    const [, mentioning] = await forum().allComments(shared._id);
    assert.deepEqual(
      [mentioning?.revision, mentioning?.editedAt, mentioning?.thanks.count],
      [2, null, 0],
    );
    for (const url of [img, apiRoutes.user(zoraida.id), pageRoutes.user(zoraida.id)]) {
      assert.equal((await forum().call('GET', url)).status, 404, url);
    }
    const { token } = zoraida;
    await expectProblem(await forum().call('GET', apiRoutes.me, { token }), 401, 'not_signed_in');
    const signedIn = await forum().signIn(zoraida.email, zoraida.password);
    await expectProblem(signedIn, 401, 'wrong_credentials');
    await forum().person('Otra', zoraida.email);
    const ledger = await readLedger(ledgerIn(backupFolder(forum().deps.config)));
    assert.equal(ledger.at(-1)?.content, 'anonymous');
  });

  test('takes with it all that it wrote, and channels where nobody else did', async () => {
    const { zoraida, shared, own } = await begin();
    await ask(forum(), zoraida, 'erase');
    await eraseNow();
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    assert.equal((await forum().call('GET', apiRoutes.channel(own._id))).status, 404);
    assert.deepEqual(await findText(forum(), own._id), []);
    const { autor, commentCount } = await forum().json<Channel>(
      'GET',
      apiRoutes.channel(shared._id),
    );
    assert.deepEqual([autor, commentCount], ['cuenta eliminada', 4]);
    const [first] = await forum().allComments(shared._id);
    assert.deepEqual(
      [first?.number, first?.replyTo, first?.replyAutor, first?.replyExcerpt],
      [2, 1, '', ''],
    );
  });

  test('is erased as a whole when each step is broken off once', async () => {
    const { zoraida, shared } = await begin();
    await ask(forum(), zoraida, 'erase');
    wait(14 * dayMs + 1);
    let done = false;
    for (let steps = 0; !done; steps++) {
      let left = steps;
      const transact: Forum['deps']['transact'] = (row, work) => {
        if (left-- === 0) throw new Error('killed');
        return forum().deps.transact(row, work);
      };
      try {
        await eraseDueAccounts({ ...forum().deps, transact });
        done = true;
      } catch (error) {
        assert.equal((error as Error).message, 'killed');
      }
    }
    assert.deepEqual(await findText(forum(), 'Quintanar'), []);
    const { commentCount } = await forum().json<Channel>('GET', apiRoutes.channel(shared._id));
    assert.equal(commentCount, (await forum().allComments(shared._id)).length);
  });

  test('is either kept or erased when it is cancelled at the last moment', async () => {
    for (let i = 0; i < 4; i++) {
      const person = await forum().person(name);
      await ask(forum(), person, 'erase');
      wait(14 * dayMs + 1);
      const session = await forum().signIn(person.email, person.password);
      const { token } = (await session.json()) as { token: string };
      const [cancelled] = await Promise.all([
        forum().call('POST', apiRoutes.restoreMe, { token }),
        eraseDueAccounts(forum().deps),
      ]);
      const isKept = cancelled.status === 204;
      if (!isKept) assert.ok([401, 409].includes(cancelled.status));
      const me = await forum().call('GET', apiRoutes.me, { token });
      assert.equal(me.status, isKept ? 200 : 401);
      assert.equal((await findText(forum(), person.email)).length > 0, isKept);
    }
  });
});
