import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { StoredFile } from '../../../shared/images.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

onBothEngines('editing comments', (forum, wait) => {
  const edit = (
    { token }: Pick<Person, 'token'>,
    { channelId, number }: { channelId: string; number: number | string },
    body: unknown,
    ifMatch: string | undefined = '"1"',
  ) =>
    forum().call('PATCH', apiRoutes.channelComment(channelId, number), {
      token,
      body,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });
  const read = async ({ channelId, number }: Comment) =>
    (await forum().allComments(channelId)).find((one) => one.number === number);
  const versionsOf = async ({ channelId, number }: Comment) => {
    const rows = await forum()
      .services.db.selectFrom('comment_versions')
      .select(['revision', 'text'])
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .orderBy('revision')
      .execute();
    return rows.map((row) => [row.revision, row.text]);
  };
  const edited = async (response: Promise<Response>) => {
    const answer = await response;
    assert.equal(answer.status, 200);
    return (await answer.json()) as Comment;
  };

  async function written(comment = 'uno'): Promise<[Person, Comment, Channel]> {
    const author = await forum().person('Ana');
    const channel = await forum().channel(author);
    return [author, await forum().comment(author, channel._id, comment), channel];
  }

  test('an edit replaces the text, raises the revision and stores the earlier text', async () => {
    const [author, comment, channel] = await written();
    await forum().json('GET', apiRoutes.channel(channel._id));
    const answer = await edit(author, comment, { comment: ' dos ' });
    assert.equal(answer.headers.get('etag'), '"2"');
    const second = (await answer.json()) as Comment;
    assert.deepEqual(second, { ...comment, comment: 'dos', revision: 2 });
    assert.deepEqual(await read(comment), second);
    const third = await edited(edit(author, comment, { comment: 'tres' }, '"2"'));
    assert.equal(third.revision, 3);
    assert.deepEqual(await versionsOf(comment), [
      [1, 'uno'],
      [2, 'dos'],
    ]);
  });

  test('an edit replaces mentions and images, and removes those that it does not contain', async () => {
    const [author, comment] = await written();
    const upload = await forum().upload(author, await quarters(40, 16).png().toBuffer(), {
      filename: `${author.id}.png`,
      use: 'comment',
    });
    const { downloadURL } = (await upload.json()) as StoredFile;
    const body = {
      comment: '@Ana hola',
      mentions: [{ start: 0, length: 4, accountId: author.id }],
      images: [{ url: downloadURL, alt: 'Cuatro colores' }],
    };
    const second = await edited(edit(author, comment, body));
    assert.deepEqual(second.mentions, [{ ...body.mentions[0], name: 'Ana' }]);
    assert.deepEqual(second.images, body.images);
    assert.deepEqual(await edited(edit(author, comment, body, '"2"')), second);
    const third = await edited(edit(author, comment, { comment: '@Ana hola' }, '"2"'));
    assert.deepEqual([third.mentions, third.images, third.revision], [[], [], 3]);
    assert.deepEqual(await read(comment), third);
    // The alternative text contains the URL of another image.
    const twice = [
      { url: downloadURL, alt: 'a' },
      { url: downloadURL, alt: 'b' },
    ];
    const once = [{ url: downloadURL, alt: `a ${downloadURL} b` }];
    await edited(edit(author, comment, { comment: 'hola', images: twice }, '"3"'));
    const fifth = await edited(edit(author, comment, { comment: 'hola', images: once }, '"4"'));
    assert.deepEqual([fifth.images, fifth.revision], [once, 5]);
  });

  test('an edit is marked after five minutes, or earlier when somebody has replied', async () => {
    const [author, comment] = await written();
    wait(5 * minuteMs - 20_000);
    assert.equal((await edited(edit(author, comment, { comment: 'dos' }))).editedAt, null);
    wait(20_001);
    const third = await edited(edit(author, comment, { comment: 'tres' }, '"2"'));
    assert.ok(Date.parse(third.editedAt ?? '') >= Date.parse(comment.createdAt) + 5 * minuteMs);

    const [owner, answered] = await written();
    const body = { id: answered.channelId, comment: 'sí', replyTo: answered.number };
    await forum().json('PUT', apiRoutes.comment, { token: owner.token, body });
    assert.ok((await edited(edit(owner, answered, { comment: 'dos' }))).editedAt);
  });

  test('an edit with the same content makes no new revision', async () => {
    const [author, comment] = await written();
    assert.deepEqual(await edited(edit(author, comment, { comment: ' uno\n' })), comment);
    assert.deepEqual(await versionsOf(comment), []);
    wait(25 * hourMs);
    assert.deepEqual(await edited(edit(author, comment, { comment: 'uno' })), comment);
  });

  test('repeating an edit whose response was lost succeeds and changes nothing', async () => {
    const [author, comment] = await written();
    const first = await edited(edit(author, comment, { comment: 'dos' }));
    assert.deepEqual(await edited(edit(author, comment, { comment: 'dos' })), first);
    assert.equal((await versionsOf(comment)).length, 1);
    const late = await edit(author, comment, { comment: 'tres' });
    await expectProblem(late, 412, 'edit_conflict');
  });

  test('of two concurrent edits one succeeds and the other responds 412', async () => {
    for (let round = 0; round < 5; round++) {
      const [author, comment] = await written();
      const answers = await Promise.all(
        ['dos', 'tres'].map((text) => edit(author, comment, { comment: text })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412]);
      const stored = await read(comment);
      const winner = answers.find(({ ok }) => ok) ?? assert.fail();
      assert.deepEqual(await winner.json(), stored);
      assert.equal(stored?.revision, 2);
    }
  });

  test('of a concurrent edit and deletion the deletion succeeds, and the trash has the last text', async () => {
    const [author, comment] = await written();
    const [edition, deletion] = await Promise.all([
      edit(author, comment, { comment: 'dos' }),
      forum().call('DELETE', apiRoutes.channelComment(comment.channelId, 1), author),
    ]);
    assert.equal(deletion.status, 204);
    assert.ok([200, 404].includes(edition.status));
    const restored = await forum().json<Comment>(
      'POST',
      apiRoutes.restoreComment(comment.channelId, 1),
      author,
    );
    assert.equal(restored.comment, edition.status === 200 ? 'dos' : 'uno');
  });

  test('checks the session, the body, the comment, its author, the revision, what the body names and the time in this order', async () => {
    const [author, comment] = await written();
    const other = await forum().person();
    const unknown = { ...comment, number: 9 };
    await expectProblem(await edit({ token: 'x' }, unknown, {}, ''), 401, 'not_signed_in');
    for (const body of [{ comment: '' }, {}, [], { comment: 7 }, undefined]) {
      await expectProblem(await edit(other, unknown, body, ''), 400, 'invalid_fields');
    }
    const images = [{ url: '/files/images/nunca.png', alt: '' }];
    const body = { comment: 'dos', images };
    await expectProblem(await edit(other, unknown, body, ''), 404, 'comment_not_found');
    await expectProblem(await edit(other, comment, body, ''), 403, 'not_yours');
    await expectProblem(await edit(author, comment, body, ''), 428, 'revision_required');
    await expectProblem(await edit(author, comment, body, '"2"'), 412, 'edit_conflict');
    await expectProblem(await edit(author, comment, body), 400, 'invalid_fields');
    const mentions = [{ start: 0, length: 4, accountId: 'nadie' }];
    const made = await edit(author, comment, { comment: '@Ana', mentions });
    await expectProblem(made, 400, 'invalid_fields');
    wait(24 * hourMs);
    await expectProblem(await edit(author, comment, { comment: 'dos' }), 409, 'edit_expired');
    assert.deepEqual(await read(comment), comment);
  });

  test('accepts a list of revisions, and neither weak nor malformed tags nor an asterisk', async () => {
    const [author, comment] = await written();
    const body = { comment: 'dos' };
    for (const header of ['*', '', ' ']) {
      await expectProblem(await edit(author, comment, body, header), 428, 'revision_required');
    }
    for (const header of [
      'W/"1"',
      '1',
      '"1',
      '""',
      '"01"',
      '"1 "',
      '"-1"',
      'W/"1", "2", "3"',
      'null',
    ]) {
      await expectProblem(await edit(author, comment, body, header), 412, 'edit_conflict');
    }
    const long = await edit(author, comment, body, '"'.repeat(201));
    await expectProblem(long, 400, 'invalid_request');
    assert.equal((await edited(edit(author, comment, body, '"9", W/"1", "1"'))).revision, 2);
  });

  test('a hidden or deleted comment and a hidden channel respond 404', async () => {
    const [author, comment, channel] = await written();
    const body = { comment: 'dos' };
    await operate(forum(), 'hide', comment.id);
    await expectProblem(await edit(author, comment, body), 404, 'comment_not_found');
    await operate(forum(), 'show', comment.id);
    await forum().json('DELETE', apiRoutes.channelComment(channel._id, 1), author);
    await expectProblem(await edit(author, comment, body), 404, 'comment_not_found');
    for (const number of ['0', '-1', 'x', '2147483648', '1e0']) {
      const key = { channelId: channel._id, number };
      await expectProblem(await edit(author, key, body), 404, 'comment_not_found');
    }
    await operate(forum(), 'hide', channel._id);
    await expectProblem(await edit(author, comment, body), 404, 'channel_not_found');
  });
});
