import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { hideContent, showContent } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { sweepImages } from '../../images/sweep-images.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

onEngine('sqlite', 'editing comments', (forum, wait) => {
  type Key = Pick<Comment, 'channelId' | 'number'>;
  const edit = (
    { token }: Pick<Person, 'token'>,
    { channelId, number }: Key,
    body: unknown,
    ifMatch = '"1"',
  ) =>
    forum().call('PATCH', apiRoutes.channelComment(channelId, number), {
      token,
      body,
      headers: { 'if-match': ifMatch },
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

  async function written(): Promise<[Person, Comment]> {
    const author = await forum().person('Ana');
    const { _id } = await forum().channel(author);
    return [author, await forum().comment(author, _id, 'uno')];
  }

  test('an edit replaces the text, raises the revision and stores the earlier text', async () => {
    const [author, comment] = await written();
    await read(comment);
    const answer = await edit(author, comment, { comment: ' dos ' });
    assert.equal(answer.headers.get('etag'), '"2"');
    const second = (await answer.json()) as Comment;
    assert.deepEqual(second, { ...comment, comment: 'dos', revision: 2 });
    assert.deepEqual(await read(comment), second);
    wait(5 * minuteMs);
    const third = await edited(edit(author, comment, { comment: 'tres' }, '"9", "2"'));
    assert.equal(third.revision, 3);
    assert.deepEqual(await versionsOf(comment), [
      [1, 'uno'],
      [2, 'dos'],
    ]);
  });

  test('an edit replaces mentions and images, and removed images are stored as long as the earlier version, and shown to nobody', async () => {
    const [author, comment] = await written();
    const image = await quarters(40, 16).png().toBuffer();
    const uploaded = async (owner: Person) => {
      const upload = await forum().upload(owner, image, { filename: 'a.png', use: 'comment' });
      return ((await upload.json()) as StoredFile).downloadURL;
    };
    const url = await uploaded(author);
    const isShown = async () => (await forum().call('GET', url)).status === 200;
    const body = {
      comment: '@Ana hola',
      mentions: [{ start: 0, length: 4, accountId: author.id }],
      images: [{ url, alt: 'Cuatro colores' }],
    };
    const second = await edited(edit(author, comment, body));
    assert.deepEqual(second.mentions, [{ ...body.mentions[0], name: 'Ana' }]);
    assert.deepEqual(second.images, body.images);
    assert.deepEqual(await edited(edit(author, comment, body, '"2"')), second);
    // The alternative text contains the URL of another image.
    const twice = [
      { url, alt: 'a' },
      { url, alt: 'b' },
    ];
    const once = [{ url, alt: `a ${url} b` }];
    await edited(edit(author, comment, { ...body, images: twice }, '"2"'));
    const fourth = await edited(edit(author, comment, { ...body, images: once }, '"3"'));
    assert.deepEqual([fourth.images, fourth.revision, await isShown()], [once, 4, true]);
    wait(5 * minuteMs);
    const fifth = await edited(edit(author, comment, { comment: '@Ana hola' }, '"4"'));
    assert.deepEqual([fifth.mentions, fifth.images, fifth.revision], [[], [], 5]);
    assert.deepEqual([await read(comment), await isShown()], [fifth, false]);
    const { services } = forum();
    const storedAfter = async (days: number, urls: string[]) => {
      wait(24 * days * hourMs);
      await eraseExpired(services);
      await sweepImages(services);
      const rows = services.db.selectFrom('images').select('url').where('url', 'in', urls);
      return (await rows.execute()).map((row) => row.url);
    };
    assert.deepEqual(await storedAfter(29, [url]), [url]);
    // The same number and revision in another channel.
    const [other, later] = await written();
    const otherUrl = await uploaded(other);
    const images = [{ url: otherUrl, alt: '' }];
    await edited(edit(other, later, { comment: 'dos', images }));
    wait(5 * minuteMs);
    await edited(edit(other, later, { comment: 'tres' }, '"2"'));
    assert.deepEqual(await storedAfter(2, [url, otherUrl]), [otherUrl]);
  });

  const report = (id: string) =>
    forum().json('POST', apiRoutes.reports, { body: { kind: 'comment', id, reason: 'abuse' } });

  test('edits within five minutes are one version, unless somebody reported what they replace', async () => {
    const [author, comment] = await written();
    const write = async (text: string, revision: number) =>
      edited(edit(author, comment, { comment: text }, `"${revision}"`));
    await write('dos', 1);
    wait(4 * minuteMs);
    await write('tres', 2);
    await write('cuatro', 3);
    await report(comment.id);
    await write('cinco', 4);
    assert.deepEqual(await versionsOf(comment), [
      [1, 'uno'],
      [4, 'cuatro'],
    ]);
    wait(5 * minuteMs);
    await write('seis', 5);
    assert.deepEqual((await versionsOf(comment)).at(-1), [5, 'cinco']);
  });

  test('edits store versions again at once when a clock that was ahead is set back', async () => {
    const [author, comment] = await written();
    wait(60 * minuteMs);
    await edited(edit(author, comment, { comment: 'dos' }, '"1"'));
    wait(-60 * minuteMs);
    await edited(edit(author, comment, { comment: 'tres' }, '"2"'));
    assert.deepEqual(await versionsOf(comment), [
      [1, 'uno'],
      [2, 'dos'],
    ]);
  });

  test('a text that mentioned somebody stays as a version, however short it stood, and so does each one while a case is open', async () => {
    const [author, comment] = await written();
    const write = async (text: string, revision: number, mentions: object[] = []) =>
      edited(edit(author, comment, { comment: text, mentions }, `"${revision}"`));
    const { id: accountId } = await forum().person('Leo');
    await write('dos', 1);
    await write('@Leo tres', 2, [{ start: 0, length: 4, accountId }]);
    await write('cuatro', 3);
    await report(comment.id);
    await write('cinco', 4);
    await write('seis', 5);
    assert.deepEqual(
      (await versionsOf(comment)).map(([revision]) => revision),
      [1, 3, 4, 5],
    );
  });

  test('an image that was only in a text of less than five minutes is erased by the next sweep', async () => {
    const [author, comment] = await written();
    const image = await quarters(40, 17).png().toBuffer();
    const upload = await forum().upload(author, image, { filename: 'a.png', use: 'comment' });
    const url = ((await upload.json()) as StoredFile).downloadURL;
    const images = [{ url, alt: '' }];
    await edited(edit(author, comment, { comment: 'dos', images }));
    await edited(edit(author, comment, { comment: 'tres', images }, '"2"'));
    assert.equal((await forum().call('GET', url)).status, 200);
    await edited(edit(author, comment, { comment: 'tres' }, '"3"'));
    assert.equal((await forum().call('GET', url)).status, 404);
    assert.equal((await sweepImages(forum().services)).images, 1);
  });

  test('at most fifty versions stay: the first, the one that was reported, and the newest', async () => {
    const [author, comment] = await written();
    for (let revision = 1; revision <= 60; revision++) {
      if (revision === 3) await report(comment.id);
      wait(5 * minuteMs);
      await edited(edit(author, comment, { comment: `${revision}` }, `"${revision}"`));
    }
    const revisions = (await versionsOf(comment)).map(([revision]) => revision);
    const newest = Array.from({ length: 48 }, (_, index) => 13 + index);
    assert.deepEqual(revisions, [1, 3, ...newest]);
  });

  test('an earlier version is erased 30 days after its edit, and a later one of the same comment later', async () => {
    const [author, comment] = await written();
    await edited(edit(author, comment, { comment: 'dos' }));
    wait(20 * hourMs);
    await edited(edit(author, comment, { comment: 'tres' }, '"2"'));
    wait((30 * 24 - 10) * hourMs);
    await eraseExpired(forum().services);
    assert.deepEqual(await versionsOf(comment), [[2, 'dos']]);
  });

  test('an edit is marked after five minutes, or earlier when somebody has replied', async () => {
    const [author, comment] = await written();
    wait(5 * minuteMs - 20_000);
    assert.equal((await edited(edit(author, comment, { comment: 'dos' }))).editedAt, null);
    wait(20_001);
    const third = await edited(edit(author, comment, { comment: 'tres' }, '"2"'));
    assert.ok(Date.parse(third.editedAt ?? '') >= Date.parse(comment.createdAt) + 5 * minuteMs);

    const [owner, answered] = await written();
    await forum().comment(owner, answered.channelId, 'sí', { replyTo: answered.number });
    assert.ok((await edited(edit(owner, answered, { comment: 'dos' }))).editedAt);
  });

  test('an edit with the same content makes no new revision, whenever and with whatever revision it is sent', async () => {
    const [author, comment] = await written();
    assert.deepEqual(await edited(edit(author, comment, { comment: ' uno\n' })), comment);
    assert.deepEqual(await versionsOf(comment), []);
    const first = await edited(edit(author, comment, { comment: 'dos' }));
    const other = await edit(author, comment, { comment: 'tres' });
    await expectProblem(other, 412, 'edit_conflict');
    wait(25 * hourMs);
    assert.deepEqual(await edited(edit(author, comment, { comment: 'dos' })), first);
    assert.equal((await versionsOf(comment)).length, 1);
  });

  test('checks the session, the body, the comment, its author, the revision, what the body names and the time in this order', async () => {
    const [author, comment] = await written();
    const other = await forum().person();
    const unknown = { ...comment, number: 9 };
    await expectProblem(await edit({ token: 'x' }, unknown, {}, ''), 401, 'not_signed_in');
    for (const body of [{}, [], { comment: 7 }, undefined]) {
      await expectProblem(await edit(other, unknown, body, ''), 400, 'invalid_fields');
    }
    const images = [{ url: '/files/images/nunca.png', alt: '' }];
    const body = { comment: 'dos', images };
    await expectProblem(await edit(other, unknown, body, ''), 404, 'comment_not_found');
    await expectProblem(await edit(other, comment, body, ''), 403, 'not_yours');
    for (const header of ['*', '', ' '])
      await expectProblem(await edit(author, comment, body, header), 428, 'revision_required');
    for (const header of ['"2"', 'W/"1"', '1', '"01"', 'W/"1", "2"'])
      await expectProblem(await edit(author, comment, body, header), 412, 'edit_conflict');
    await expectProblem(await edit(author, comment, body), 400, 'invalid_fields');
    await expectProblem(await edit(author, comment, { comment: '' }), 400, 'invalid_fields');
    const mentions = [{ start: 0, length: 4, accountId: 'nadie' }];
    const made = await edit(author, comment, { comment: '@Ana', mentions });
    await expectProblem(made, 400, 'invalid_fields');
    wait(24 * hourMs);
    await expectProblem(await edit(author, comment, { comment: 'dos' }), 409, 'edit_expired');
    assert.deepEqual(await read(comment), comment);
    assert.deepEqual(await versionsOf(comment), []);
  });

  test('responds 404 for a hidden or deleted comment and in a hidden channel', async () => {
    const [author, comment] = await written();
    const body = { comment: 'dos' };
    await hideContent(forum(), comment.id);
    await expectProblem(await edit(author, comment, body), 404, 'comment_not_found');
    await showContent(forum(), comment.id);
    await forum().json('DELETE', apiRoutes.channelComment(comment.channelId, 1), author);
    await expectProblem(await edit(author, comment, body), 404, 'comment_not_found');
    await hideContent(forum(), comment.channelId);
    await expectProblem(await edit(author, comment, body), 404, 'channel_not_found');
  });
});
