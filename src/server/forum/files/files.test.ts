import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mp3, pdf } from '../../../../test/attacks/hostile-files.ts';
import { eventually } from '../../../../test/eventually.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { imageSetups, storedObjectKeys } from '../../../../test/forum/image-setups.ts';
import { decide, hideContent, staff } from '../../../../test/forum/moderators.ts';
import { TusUpload } from '../../../../test/forum/tus-upload.ts';
import { uploadFile } from '../../../../test/forum/upload-file.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import type { DocumentPage } from '../../../shared/files.ts';
import type { StoredFile } from '../../../shared/images.ts';
import type { Queue } from '../../../shared/moderation.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import { assetRoutes, withQuery } from '../../../shared/routes.ts';
import type { SearchResults } from '../../../shared/search.ts';
import type { Trash } from '../../../shared/trash.ts';
import { sweepImages } from '../../images/sweep-images.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';

const dayMs = 86_400_000;

for (const { title, engine, env } of imageSetups) {
  describe(`files of comments (${title})`, () => {
    let forum: Forum;
    let author: Person;
    let id: string;
    let aheadMs = 0;
    before(async () => {
      forum = await Forum.start(engine, await env(), { now: () => Date.now() + aheadMs });
      author = await forum.person('Ana');
      ({ _id: id } = await forum.channel(author, 'Actas'));
    });
    after(() => forum?.stop());

    const upload = async (name?: string, bytes?: Buffer) =>
      assetRoutes.file((await uploadFile(forum, author, name, bytes)).fullPath);
    const send = (urls: string[], comment = '') =>
      forum.comment(author, id, comment, { files: urls.map((url) => ({ url })) });
    const statusOf = async (url: string) => (await forum.call('GET', url)).status;
    const documents = (query: Record<string, string> = {}) =>
      forum.json<DocumentPage>('GET', withQuery(apiRoutes.documents, query));
    const namesOf = ({ data }: DocumentPage) => data.map(({ name }) => name);

    test('two files of one name keep it, in the order sent, and an edit keeps both', async () => {
      const urls = [await upload('b.pdf'), await upload('acta.pdf'), await upload('acta.pdf')];
      const { number, files } = await send(urls, 'Las actas');
      const type = 'application/pdf';
      const expected = ['b.pdf', 'acta.pdf', 'acta.pdf'].map((name, position) => {
        return { url: urls[position], name, size: pdf.length, type };
      });
      assert.deepEqual(files, expected);
      const edited = await forum.edit(author, id, number, '');
      assert.deepEqual([edited.comment, edited.files], ['', expected]);
      const { data } = await forum.json<CommentPage>('GET', apiRoutes.channelComments(id));
      assert.deepEqual(data.at(-1)?.files, expected);
    });

    test('a file is sent to be saved, whole or in part, and never shown as a page', async () => {
      const url = await upload('Año (1)\u2019.mp3', mp3());
      await send([url]);
      const whole = await forum.call('GET', url);
      assert.deepEqual(Buffer.from(await whole.arrayBuffer()), mp3());
      const expected = {
        'content-type': 'audio/mpeg',
        'content-disposition': `attachment; filename="A_o (1)_.mp3"; filename*=UTF-8''A%C3%B1o%20%281%29%E2%80%99.mp3`,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'content-length': String(mp3().length),
        'accept-ranges': 'bytes',
      };
      const headersOf = ({ headers }: Response) =>
        Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));
      assert.deepEqual(headersOf(whole), expected);
      const policy = whole.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none';.* sandbox$/);
      assert.deepEqual(headersOf(await forum.call('HEAD', url)), expected);
      const part = await forum.call('GET', url, { headers: { range: 'bytes=-5' } });
      assert.equal(part.status, 206);
      assert.equal((await part.arrayBuffer()).byteLength, 5);
      const etag = whole.headers.get('etag') ?? '';
      const same = await forum.call('GET', url, { headers: { 'if-none-match': etag } });
      assert.equal(same.status, 304);
      assert.equal(await statusOf(assetRoutes.variant(url, '500.webp')), 404);
      assert.equal(await statusOf(url.replace('/files/files/', '/files/images/')), 404);
    });

    test('refused files, files of others and those of another use are in no comment, nor stored', async () => {
      const stored = (await storedObjectKeys(forum)).length;
      const refused = await forum.upload(author, Buffer.from('<html>'), {
        filename: 'a.pdf',
        use: 'file',
      });
      await expectProblem(refused, 422, 'unsupported_file');
      const huge = Buffer.alloc(20 * 1024 * 1024 + 1, 'a');
      const tooLarge = await forum.upload(author, huge, { filename: 'a.txt', use: 'file' });
      const { detail } = await expectProblem(tooLarge, 413, 'too_large');
      assert.equal(detail, 'El archivo pesa 21\u00a0MB; el máximo es 20\u00a0MB.');
      assert.equal((await storedObjectKeys(forum)).length, stored);
      const url = await upload();
      const other = await forum.person();
      for (const [sender, body] of [
        [other, { files: [{ url }] }],
        [author, { images: [{ url, alt: '' }] }],
        [author, { files: [{ url }, { url }] }],
      ] as const) {
        const answer = await forum.call('PUT', apiRoutes.comment, {
          token: sender.token,
          body: { id, comment: '', ...body },
        });
        await expectProblem(answer, 400, 'invalid_fields');
      }
    });

    test('an upload that ends half-way twice goes on where it ended, and is one file', async () => {
      const bytes = Buffer.from('Nombre;Cuota\n');
      const upload = await TusUpload.begin(forum.url, author, bytes.length, 'cuotas.csv', 'file');
      for (const [from, to] of [
        [0, 4],
        [4, 9],
      ] as const) {
        const rest = bytes.length - from;
        const stalled = upload.stall(forum.url, from, bytes.subarray(from, to), rest);
        const isStored = async () => (await upload.offset(forum.url)) === to;
        await eventually('what was sent is stored', isStored);
        stalled.destroy();
      }
      const answer = await upload.send(forum.url, 9, bytes.subarray(9));
      const stored = (await answer.json()) as StoredFile;
      assert.equal(stored.contentType, 'text/csv; charset=utf-8');
      assert.deepEqual(stored.customMetadata, { use: 'file' });
      const sent = await forum.call('GET', stored.downloadURL);
      assert.equal(await sent.text(), bytes.toString());
      assert.equal((await upload.head(forum.url)).status, 404);
    });

    test('files count against the quota of their account, and not as one for equal bytes', async () => {
      const { db, config } = forum.services;
      const owner = await forum.person();
      const [one, other] = [await uploadFile(forum, owner), await uploadFile(forum, owner)];
      assert.notEqual(one.fullPath, other.fullPath);
      const ofOwner = db.selectFrom('images').where('account_id', '=', owner.id);
      const rows = await ofOwner.select(['stored_bytes', 'largest_variant', 'width']).execute();
      const row = { stored_bytes: pdf.length, largest_variant: 0, width: 0 };
      assert.deepEqual(
        rows.map((each) => ({ ...each })),
        [row, row],
      );
      const almost = config.accountQuotaMb * 1024 * 1024 - pdf.length - 1;
      const fill = db.updateTable('images').set({ stored_bytes: almost });
      await fill.where('url', '=', one.downloadURL).execute();
      const refused = await forum.upload(owner, pdf, { filename: 'a.pdf', use: 'file' });
      await expectProblem(refused, 413, 'quota_exceeded');
    });

    test('a file is sent while its comment is seen, and its author gets an address in the trash', async () => {
      const url = await upload('acta secreta.pdf');
      const data = apiRoutes.storedFile(decodeURIComponent(url.replace('/files/', '')));
      const { number } = await send([url]);
      const statuses = async () => [await statusOf(url), await statusOf(data)];
      assert.deepEqual(await statuses(), [200, 200]);
      const token = { token: author.token };
      await forum.json('DELETE', apiRoutes.channelComment(id, number), token);
      assert.deepEqual(await statuses(), [404, 404]);
      const trash = await forum.json<Trash>('GET', apiRoutes.trash, token);
      const [file] = trash.data[0]?.comment.files ?? [];
      assert.equal(file?.name, 'acta secreta.pdf');
      assert.equal(await statusOf(file?.url ?? ''), 200);
      assert.ok(!namesOf(await documents()).includes('acta secreta.pdf'));
      await forum.json('POST', apiRoutes.restoreComment(id, number), token);
      await hideContent(forum, commentId(id, number));
      assert.deepEqual(await statuses(), [404, 404]);
    });

    test('the list has files by name, in any case, with or without accents, and by channel', async () => {
      const { _id: other } = await forum.channel(author, 'Coro');
      const [url, late] = [await upload('Añada de MÚSICA.pdf'), await upload('Ensayo.pdf')];
      const { number } = await forum.comment(author, other, 'a', { files: [{ url }] });
      await forum.comment(author, other, 'b', { files: [{ url: late }] });
      const [found] = (await documents({ q: 'musica anada' })).data;
      assert.deepEqual([found?.url, found?.number, found?.autor], [url, number, 'Ana']);
      assert.deepEqual(found?.channel, { _id: other, name: 'Coro' });
      const names = ['Ensayo.pdf', 'Añada de MÚSICA.pdf'];
      assert.deepEqual(namesOf(await documents({ channel: other })), names);
      assert.deepEqual(namesOf(await documents()).slice(0, 2), names);
      assert.deepEqual(namesOf(await documents({ q: 'no hay' })), []);
      const many = 'm u s i c a n d noncompared';
      assert.equal((await documents({ q: many })).data.length, 1);
      const channel = await forum.json<Channel>('GET', apiRoutes.channel(other));
      assert.deepEqual(namesOf({ data: channel.documents ?? [], next: null }), names);
      const hits = await forum.json<SearchResults>('GET', `${apiRoutes.search}?q=musica`);
      assert.deepEqual(
        hits.data.map(({ comment }) => comment.files.map(({ url }) => url)),
        [[url]],
      );
    });

    test('pages of the list follow each other without a gap, and keep the files of a comment together', async () => {
      const { _id: other } = await forum.channel(author);
      const all = [];
      for (let number = 1; number <= 14; number++) {
        const urls = [];
        for (const letter of 'abcd')
          urls.push(await upload(`${number}${letter}.txt`, Buffer.from('a')));
        await forum.comment(author, other, '', { files: urls.map((url) => ({ url })) });
        all.unshift(urls);
      }
      const first = await documents({ channel: other });
      const second = await documents({ channel: other, after: first.next ?? '' });
      assert.deepEqual([first.data.length, second.data.length, second.next], [48, 8, null]);
      assert.deepEqual(
        [...first.data, ...second.data].map(({ url }) => url),
        all.flat(),
      );
    });

    test('an erased comment takes its files with it, but not those of a case', async () => {
      const moderator = await staff(forum, 'moderator');
      const [gone, kept] = [await upload('borrada.pdf'), await upload('denunciada.pdf')];
      const numbers = [];
      for (const url of [gone, kept]) numbers.push((await send([url])).number);
      const [first = 0, second = 0] = numbers;
      const report = { kind: 'comment', id: commentId(id, second), reason: 'spam' };
      await forum.json('POST', apiRoutes.reports, { body: report });
      for (const number of [first, second])
        await forum.json('DELETE', apiRoutes.channelComment(id, number), { token: author.token });
      aheadMs += 31 * dayMs;
      await eraseExpired(forum.services);
      await sweepImages(forum.services);
      const { token } = await forum.newSession(moderator);
      const { data } = await forum.json<Queue>('GET', apiRoutes.queue, { token });
      const item = data.find(({ subject }) => subject.id === report.id);
      assert.deepEqual(
        item?.files.map(({ name }) => name),
        ['denunciada.pdf'],
      );
      assert.equal(await statusOf(item?.files[0]?.url ?? ''), 200);
      const rows = await forum.services.db
        .selectFrom('images')
        .select('url')
        .where('url', 'in', [gone, kept])
        .execute();
      assert.deepEqual(
        rows.map((row) => row.url),
        [kept],
      );
    });

    test('a file waits with its comment, for its author and moderators alone', async () => {
      await reviewFirstPosts(forum);
      try {
        const moderator = await staff(forum, 'moderator');
        const eva = await forum.person('Eva');
        const { fullPath, downloadURL } = await uploadFile(forum, eva, 'primera.pdf');
        const url = assetRoutes.file(fullPath);
        const pending = await forum.json<PendingPost>('PUT', apiRoutes.comment, {
          token: eva.token,
          body: { id, comment: '', files: [{ url: downloadURL }] },
        });
        const asked = { token: moderator.token };
        const queue = await forum.json<Queue>('GET', `${apiRoutes.queue}?state=pending`, asked);
        const item = queue.data.find(({ subject }) => subject.id === pending.id);
        for (const files of [pending.files, item?.files]) {
          assert.equal(files?.[0]?.name, 'primera.pdf');
          assert.equal(await statusOf(files?.[0]?.url ?? ''), 200);
        }
        assert.equal(item?.text, '');
        assert.equal(await statusOf(url), 404);
        aheadMs += 2 * dayMs;
        await sweepImages(forum.services);
        const subject = { kind: 'comment' as const, id: pending.id };
        const session = await forum.newSession(moderator);
        await decide(
          forum,
          { ...moderator, ...session },
          { subject, reason: '', action: 'approve' },
        );
        assert.equal(await statusOf(url), 200);
      } finally {
        await changeSettings(forum, {});
      }
    });

    test('an erased account leaves no file', async () => {
      const zoe = await forum.person();
      const { fullPath } = await uploadFile(forum, zoe);
      const url = assetRoutes.file(fullPath);
      await forum.comment(zoe, id, 'De Zoe', { files: [{ url }] });
      const body = { currentPassword: zoe.password, content: 'erase' };
      await forum.json('DELETE', apiRoutes.me, { token: zoe.token, body });
      aheadMs += 15 * dayMs;
      await eraseDueAccounts(forum.services);
      assert.equal(await statusOf(url), 404);
      const rows = await forum.services.db.selectFrom('images').select('url').execute();
      assert.ok(rows.every((row) => row.url !== url));
    });
  });
}
