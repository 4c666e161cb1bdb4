import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Forum, type Person } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { readZip } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import type { PersonCommentPage } from '../../../shared/people.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import type { SearchResults } from '../../../shared/search.ts';
import type { Trash } from '../../../shared/trash.ts';
import { findNames } from '../../database/mention-names.ts';
import { toStoredText } from '../../database/stored-text.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';

const dayMs = 86_400_000;

const mention = (text: string, { id, name }: Person, from = 0) => ({
  start: text.indexOf(`@${name}`, from),
  length: name.length + 1,
  accountId: id,
});

/** All rows of comments, channels and their versions. */
async function readRows({ services: { db } }: Forum): Promise<unknown> {
  const tables = ['comments', 'comment_versions', 'channels'] as const;
  const rows: unknown[] = [];
  for (const table of tables) {
    const found = await sql`select * from ${sql.table(table)} order by 1, 2`.execute(db);
    rows.push(found.rows.map((row) => ({ ...(row as object) })));
  }
  return rows;
}

/** Creates a channel whose author mentions another person in comments, a reply, an edit and a deleted comment. */
async function mentionEverywhere(forum: Forum) {
  const ana = await forum.person('Ana Belmonte');
  const eva = await forum.person('Eva');
  const { _id: id } = await forum.channel(eva);
  const write = (text: string, more = {}) =>
    forum.comment(eva, id, text, { mentions: [mention(text, ana)], ...more });
  const urlOf = (number: number) => apiRoutes.channelComment(id, number);
  const edited = 'Antes @Ana Belmonte decía otra cosa';
  await write('Hola @Ana Belmonte, ¿vienes al cine?');
  await write(edited, { replyTo: 1, replyExcerpt: 'Hola @Ana Bel' });
  await write('A la papelera @Ana Belmonte');
  await forum.json('PATCH', urlOf(2), {
    token: eva.token,
    headers: { 'if-match': '"1"' },
    body: { comment: edited.replace('Antes', 'Ahora'), mentions: [mention(edited, ana)] },
  });
  await forum.json('DELETE', urlOf(3), { token: eva.token });
  return { ana, eva, id };
}

/** Reads the comments from all routes, pages and commands that show them. @returns the texts by source */
async function readEverywhere(forum: Forum, { eva, id }: { eva: Person; id: string }) {
  const { token } = eva;
  const texts = (comments: Comment[]) =>
    comments.map(({ comment, mentions, replyExcerpt }) => [
      comment,
      mentions.map(({ start, length, name }) => `${comment.slice(start, start + length)} ${name}`),
      replyExcerpt,
    ]);
  const person = await forum.json<PersonCommentPage>('GET', apiRoutes.userComments(eva.id));
  const trash = await forum.json<Trash>('GET', apiRoutes.trash, { token });
  const found = await forum.json<SearchResults>(
    'GET',
    withQuery(apiRoutes.search, { q: 'cine', channel: id }),
  );
  const page = await (await forum.call('GET', pageRoutes.channel(id))).text();
  const reader = await LiveReader.open(forum, id, 0);
  const live = [await reader.nextComment(), await reader.nextComment()];
  reader.close();
  const zip = await forum.call('GET', apiRoutes.export, { token });
  const files = readZip(Buffer.from(await zip.arrayBuffer()));
  const exported = (name: string) =>
    (JSON.parse(String(files.get(name))) as { comment: string }[]).map(({ comment }) => comment);
  return {
    list: texts(await forum.allComments(id)),
    person: texts(person.data.map(({ comment }) => comment)).toReversed(),
    trash: texts(trash.data.map(({ comment }) => comment)),
    live: texts(live),
    found: texts(found.data.map(({ comment }) => comment)),
    snippets: found.data.map(({ snippet }) => snippet.map(({ text }) => text).join('')),
    page: [...new Set(page.match(/@(?:Ana Belmonte|Anita Blanco|cuenta eliminada)/g))],
    exported: exported('comentarios.json'),
    versions: exported('versiones-de-comentarios.json'),
    printed: (await operate(forum, 'versions', commentId(id, 2))).match(/@.*(?= decía)/g),
    listed: (await operate(forum, 'comments', id)).match(/@(?!ejemplo\.es)\S+ \w+/g),
  };
}

function expected(name: string, mentions: string[]) {
  const first = [`Hola @${name}, ¿vienes al cine?`, mentions, ''];
  const second = [`Ahora @${name} decía otra cosa`, mentions, `Hola @${name}`];
  const third = [`A la papelera @${name}`, mentions, ''];
  return {
    list: [first, second],
    person: [first, second],
    trash: [third],
    live: [first, second],
    found: [first],
    snippets: [first[0]],
    page: [`@${name}`],
    exported: [first[0], second[0], third[0]],
    versions: [`Antes @${name} decía otra cosa`],
    printed: [`@${name}`, `@${name}`],
    listed: [`@${name}`, `@${name}`, `@${name}`],
  };
}

onBothEngines('mentions', (forum, wait) => {
  test('a new name is shown wherever a person is mentioned, and nothing that others wrote changes', async () => {
    const { ana, eva, id } = await mentionEverywhere(forum());
    const linked = (name: string) => expected(name, [`@${name} ${name}`]);
    assert.deepEqual(await readEverywhere(forum(), { eva, id }), linked('Ana Belmonte'));
    const before = await readRows(forum());
    const body = { name: 'Anita Blanco', currentPassword: ana.password };
    await forum().json('PATCH', apiRoutes.me, { token: ana.token, body });
    assert.deepEqual(await readEverywhere(forum(), { eva, id }), linked('Anita Blanco'));
    assert.deepEqual(await readRows(forum()), before);
  });

  test('an erased account is shown as erased wherever it is mentioned, and nothing that others wrote changes', async () => {
    const { ana, eva, id } = await mentionEverywhere(forum());
    await askForDeletion(forum(), ana, 'erase');
    const before = await readRows(forum());
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().services);
    assert.deepEqual(await readEverywhere(forum(), { eva, id }), expected('cuenta eliminada', []));
    assert.deepEqual(await readRows(forum()), before);
  });

  test('an edit with the text that is shown for an erased account changes nothing', async () => {
    const [ana, eva] = [await forum().person('Ana Belmonte'), await forum().person('Eva')];
    const { _id: id } = await forum().channel(eva);
    await askForDeletion(forum(), ana, 'anonymous');
    wait(14 * dayMs + 1);
    const text = 'Adiós @Ana Belmonte';
    const { number } = await forum().comment(eva, id, text, { mentions: [mention(text, ana)] });
    await eraseDueAccounts(forum().services);
    const edit = (comment: string) =>
      forum().json<Comment>('PATCH', apiRoutes.channelComment(id, number), {
        token: eva.token,
        headers: { 'if-match': '"1"' },
        body: { comment },
      });
    assert.equal((await edit('Adiós @cuenta eliminada')).revision, 1);
    const { comment, revision } = await edit('Hasta pronto, @cuenta eliminada');
    assert.deepEqual([comment, revision], ['Hasta pronto, @cuenta eliminada', 2]);
  });

  test('a live event shows the current name, whatever the range covers', async () => {
    const ana = await forum().person('Ana Belmonte');
    const { _id: id } = await forum().channel(ana);
    const reader = await LiveReader.open(forum(), id);
    const mentions = [{ start: 5, length: 3, accountId: ana.id }];
    const posted = await forum().comment(ana, id, 'Hola @an, ¿vienes?', { mentions });
    const live = await reader.nextComment();
    reader.close();
    assert.deepEqual(live, posted);
    assert.equal(live.comment, 'Hola @Ana Belmonte, ¿vienes?');
    assert.deepEqual(live.mentions, [{ ...mention(live.comment, ana), name: 'Ana Belmonte' }]);
  });

  test('two people of the same name are mentioned, quoted and erased separately', async () => {
    const [one, other] = [await forum().person('Sol Ortega'), await forum().person('Sol Ortega')];
    const eva = await forum().person('Eva');
    const { _id: id } = await forum().channel(eva);
    await askForDeletion(forum(), one, 'erase');
    wait(14 * dayMs + 1);
    const text = 'Una, @Sol Ortega; otra, @Sol Ortega';
    const ranges = (first: Person, second: Person) => [
      mention(text, first),
      mention(text, second, 10),
    ];
    const edit = (revision: number, mentions: object[]) =>
      forum().json<Comment>('PATCH', apiRoutes.channelComment(id, 1), {
        token: eva.token,
        headers: { 'if-match': `"${revision}"` },
        body: { comment: text, mentions },
      });
    const excerpt = async () => (await forum().allComments(id))[1]?.replyExcerpt;
    await forum().comment(eva, id, text, { mentions: ranges(one, other) });
    await forum().comment(eva, id, 'Sí', { replyTo: 1, replyExcerpt: 'otra, @Sol' });
    assert.equal(await excerpt(), 'otra, @Sol Ortega');
    // The text stays the same, but the two people are swapped.
    await edit(1, ranges(other, one));
    assert.equal(await excerpt(), '');
    await edit(2, ranges(one, other));
    assert.equal(await excerpt(), 'otra, @Sol Ortega');
    await eraseDueAccounts(forum().services);
    const [mentioning] = await forum().allComments(id);
    assert.equal(mentioning?.comment, 'Una, @cuenta eliminada; otra, @Sol Ortega');
    assert.deepEqual(
      mentioning?.mentions.map(({ accountId }) => accountId),
      [other.id],
    );
    assert.equal(await excerpt(), 'otra, @Sol Ortega');
  });

  test('control characters, which delimit tokens, vanish from every text', async () => {
    const eva = await forum().person('Eva');
    const { _id: id } = await forum().channel(eva);
    const send = (body: object) =>
      forum().json<Comment>('PUT', apiRoutes.comment, { token: eva.token, body: { id, ...body } });
    const hostile = `a \u0002${eva.id}\u0003 b`;
    const first = await send({ comment: hostile });
    assert.deepEqual([first.comment, first.mentions], [`a ${eva.id} b`, []]);
    const reply = await send({ comment: 'Hola', replyTo: 1, replyExcerpt: hostile });
    assert.equal(reply.replyExcerpt, `a ${eva.id} b`);
    for (const comment of ['\u0002', '\u0003']) {
      const response = await forum().call('PUT', apiRoutes.comment, {
        token: eva.token,
        body: { id, comment },
      });
      await expectProblem(response, 400, 'invalid_fields');
    }
    const within = [{ start: 0, length: 4, accountId: `${eva.id}\u0003\u0002` }];
    const response = await forum().call('PUT', apiRoutes.comment, {
      token: eva.token,
      body: { id, comment: '@Eva', mentions: within },
    });
    await expectProblem(response, 400, 'invalid_fields');
  });

  test('a mention counts as one character of the limit', async () => {
    const long = await forum().person('🦖'.repeat(limits.userNameChars));
    const { _id: id } = await forum().channel(long);
    const at = `@${long.name}`;
    const send = (rest: number) => {
      const comment = at.repeat(limits.mentionsPerComment) + '🦖'.repeat(rest);
      const mentions = Array.from({ length: limits.mentionsPerComment }, (_, index) => ({
        start: index * at.length,
        length: at.length,
        accountId: long.id,
      }));
      return forum().call('PUT', apiRoutes.comment, {
        token: long.token,
        body: { id, comment, mentions },
      });
    };
    const most = limits.commentChars - limits.mentionsPerComment;
    const { errors } = await expectProblem(await send(most + 1), 400, 'invalid_fields');
    const message = 'Como mucho 10\u00a0000 caracteres; ahora tiene 10\u00a0001.';
    assert.deepEqual(errors, [{ field: 'comment', message }]);
    const response = await send(most);
    assert.equal(response.status, 200);
    const { comment, mentions } = (await response.json()) as Comment;
    assert.equal([...comment].length, 50 * 81 + most);
    assert.equal(mentions.length, 50);
    const [read] = await forum().allComments(id);
    assert.equal(read?.comment, comment);
  });

  test('pages with mentions of long names stay below 1.3 MB', async () => {
    const long = await forum().person('🦖'.repeat(limits.userNameChars));
    const { _id: id } = await forum().channel(long);
    // The comment takes about 2 kB in the database and 40 kB in JSON.
    const mentions = Array.from({ length: limits.mentionsPerComment }, (_, index) => ({
      start: 3 * index,
      length: 2,
      accountId: long.id,
    }));
    const text = `${'@a '.repeat(limits.mentionsPerComment)}tiranosaurio`;
    for (let i = 0; i < 40; i++) await forum().comment(long, id, text, { mentions });
    for (const url of [
      apiRoutes.channelComments(id),
      apiRoutes.userComments(long.id),
      withQuery(apiRoutes.search, { q: 'tiranosaurio', limit: 40 }),
    ]) {
      const body = await (await forum().call('GET', url)).text();
      const { data, next } = JSON.parse(body) as { data: unknown[]; next: string | null };
      assert.ok(data.length > 10 && data.length < 40 && next !== null, url);
      assert.ok(Buffer.byteLength(body) < 1_300_000, url);
    }
  });

  test('a search does not match names in mentions, but shows them', async () => {
    const ana = await forum().person('Hermenegilda');
    const { _id: id } = await forum().channel(ana);
    const text = 'Un saludo a @Hermenegilda';
    await forum().comment(ana, id, text, { mentions: [mention(text, ana)] });
    const search = async (q: string, exact = {}) => {
      const url = withQuery(apiRoutes.search, { q, ...exact });
      const { data } = await forum().json<SearchResults>('GET', url);
      return data.map(({ snippet }) => snippet);
    };
    assert.deepEqual(await search('hermenegilda', { exact: 1 }), []);
    assert.deepEqual(await search('"a hermenegilda"'), []);
    for (const sort of ['new', 'relevance']) {
      assert.deepEqual(await search('saludo', { sort }), [
        [
          { text: 'Un ', isHit: false },
          { text: 'saludo', isHit: true },
          { text: ' a @Hermenegilda', isHit: false },
        ],
      ]);
    }
  });

  test('finds the names of more accounts than one query can contain', async () => {
    const ana = await forum().person('Ana');
    const ids = [ana.id, ...Array.from({ length: 70_000 }, (_, index) => `none-${index}`)];
    const texts = ids.map((accountId) => toStoredText('@', [{ start: 0, length: 1, accountId }]));
    assert.deepEqual([...(await findNames(forum().services.db, texts))], [[ana.id, 'Ana']]);
  });
});
