import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Forum, type Person } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { readZip, rowsIn } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { withQuery } from '../../../shared/routes.ts';
import type { SearchResults } from '../../../shared/search.ts';
import type { Trash } from '../../../shared/trash.ts';
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
  const edited = 'Antes @Ana Belmonte decía otra cosa';
  await write('Hola @Ana Belmonte, ¿vienes al cine?');
  await write(edited, { replyTo: 1 });
  await write('A la papelera @Ana Belmonte');
  const mentions = [mention(edited, ana)];
  await forum.edit(eva, id, 2, edited.replace('Antes', 'Ahora'), { mentions });
  await forum.json('DELETE', apiRoutes.channelComment(id, 3), { token: eva.token });
  return { ana, eva, id };
}

/** Reads the comments in each way that puts the names into their texts. @returns the texts by source */
async function readEverywhere(forum: Forum, { token }: Person, id: string) {
  const texts = (comments: Comment[]) =>
    comments.map(({ comment, mentions, replyExcerpt }) => [
      comment,
      mentions.map(({ start, length, name }) => `${comment.slice(start, start + length)} ${name}`),
      replyExcerpt,
    ]);
  const trash = await forum.json<Trash>('GET', apiRoutes.trash, { token });
  const search = (q: string) =>
    forum.json<SearchResults>('GET', withQuery(apiRoutes.search, { q, channel: id }));
  const found = await search('cine');
  const zip = await forum.call('GET', apiRoutes.export, { token });
  const files = readZip(Buffer.from(await zip.arrayBuffer()));
  const exported = (name: string) => rowsIn(files, name).map(({ text }) => text);
  return {
    list: texts(await forum.allComments(id)),
    trash: texts(trash.data.map(({ comment }) => comment)),
    snippets: found.data.map(({ snippet }) => snippet.map(({ text }) => text).join('')),
    foundByName: (await search('"belmonte"')).data.length,
    exported: exported('comentarios.jsonl'),
    versions: exported('versiones-de-comentarios.jsonl'),
  };
}

function expected(name: string, mentions: string[]) {
  const first = [`Hola @${name}, ¿vienes al cine?`, mentions, ''];
  const second = [`Ahora @${name} decía otra cosa`, mentions, first[0]];
  const third = [`A la papelera @${name}`, mentions, ''];
  return {
    list: [first, second],
    trash: [third],
    snippets: [first[0]],
    foundByName: 0,
    exported: [first[0], second[0], third[0]],
    versions: [`Antes @${name} decía otra cosa`],
  };
}

onEngine('sqlite', 'mentions', (forum, wait) => {
  test('show the new name of a person everywhere, and then the erased account, without a change of what others wrote', async () => {
    const { ana, eva, id } = await mentionEverywhere(forum());
    const linked = (name: string) => expected(name, [`@${name} ${name}`]);
    assert.deepEqual(await readEverywhere(forum(), eva, id), linked('Ana Belmonte'));
    const before = await readRows(forum());
    const body = { name: 'Anita Blanco', currentPassword: ana.password };
    await forum().json('PATCH', apiRoutes.me, { token: ana.token, body });
    assert.deepEqual(await readEverywhere(forum(), eva, id), linked('Anita Blanco'));
    await askForDeletion(forum(), ana, 'erase');
    wait(14 * dayMs + 1);
    await eraseDueAccounts(forum().services);
    assert.deepEqual(await readEverywhere(forum(), eva, id), expected('cuenta eliminada', []));
    assert.deepEqual(await readRows(forum()), before);
  });

  test('refer to the right one of two people of the same name in edits, replies and erasures', async () => {
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
    const edit = (revision: number, comment: string, mentions: object[]) =>
      forum().json<Comment>('PATCH', apiRoutes.channelComment(id, 1), {
        token: eva.token,
        headers: { 'if-match': `"${revision}"` },
        body: { comment, mentions },
      });
    const excerpt = async () => (await forum().allComments(id))[1]?.replyExcerpt;
    await forum().comment(eva, id, text, { mentions: ranges(one, other) });
    await forum().comment(eva, id, 'Sí', { replyTo: 1 });
    // The text stays the same, but the two people are swapped.
    assert.equal((await edit(1, text, ranges(other, one))).revision, 2);
    await edit(2, text, ranges(one, other));
    assert.equal(await excerpt(), text);
    await eraseDueAccounts(forum().services);
    const shown = 'Una, @cuenta eliminada; otra, @Sol Ortega';
    const mentions = [mention(shown, other)];
    const [mentioning] = await forum().allComments(id);
    assert.deepEqual(
      [mentioning?.comment, mentioning?.mentions],
      [shown, [{ ...mentions[0], name: other.name }]],
    );
    assert.equal(await excerpt(), shown);
    // The edit contains what is shown for the erased account.
    assert.equal((await edit(3, shown, mentions)).revision, 3);
    assert.equal((await edit(3, `${shown}.`, mentions)).comment, `${shown}.`);
  });

  test('are not made by control characters, which delimit tokens and vanish from every text', async () => {
    const eva = await forum().person('Eva');
    const { _id: id } = await forum().channel(eva);
    const send = (body: object) =>
      forum().call('PUT', apiRoutes.comment, { token: eva.token, body: { id, ...body } });
    const hostile = `a \u0002${eva.id}\u0003 b`;
    const first = (await (await send({ comment: hostile })).json()) as Comment;
    assert.deepEqual([first.comment, first.mentions], [`a ${eva.id} b`, []]);
    await expectProblem(await send({ comment: '\u0003' }), 400, 'invalid_fields');
  });

  test('count as one character of the limit each', async () => {
    const ana = await forum().person('🦖'.repeat(limits.userNameChars));
    const { _id: id } = await forum().channel(ana);
    const at = `@${ana.name}`;
    const mentions = Array.from({ length: limits.mentionsPerComment }, (_, index) => {
      return { start: index * at.length, length: at.length, accountId: ana.id };
    });
    const send = (rest: number) => {
      const comment = at.repeat(limits.mentionsPerComment) + '🦖'.repeat(rest);
      return forum().call('PUT', apiRoutes.comment, {
        token: ana.token,
        body: { id, comment, mentions },
      });
    };
    const most = limits.commentChars - limits.mentionsPerComment;
    const { errors } = await expectProblem(await send(most + 1), 400, 'invalid_fields');
    const message = 'Como mucho 10\u00a0000 caracteres; ahora tiene 10\u00a0001.';
    assert.deepEqual(errors, [{ field: 'comment', message }]);
    const comment = (await (await send(most)).json()) as Comment;
    assert.equal([...comment.comment].length, 50 * 81 + most);
    assert.equal(comment.mentions.length, limits.mentionsPerComment);
    assert.deepEqual(await forum().allComments(id), [comment]);
  });
});
