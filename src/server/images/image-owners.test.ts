import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem, type Forum, type Person } from '../../../test/forum/forum.ts';
import { colouredImage, onDisk } from '../../../test/forum/image-setups.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { ImageUse, StoredFile } from '../../shared/images.ts';

const site = 'https://foro.example';

async function upload(forum: Forum, owner: Person, use: ImageUse, filename = 'foto.png') {
  const response = await forum.upload(owner, await colouredImage('teal').png().toBuffer(), {
    filename,
    use,
  });
  assert.equal(response.status, 200);
  const file = (await response.json()) as StoredFile;
  return { ...file, path: `/files/${file.fullPath}` };
}

/** One request for each field that takes an image's URL, keyed by field. */
function requestsWith(forum: Forum, { token }: Person, channel: Channel, url: string) {
  const headers = { 'if-match': `"${channel.revision}"` };
  const newChannel = { name: 'Otro', description: 'Otro canal', cover: url };
  const comment = { comment: 'Hola', images: [{ url, alt: '' }] };
  return [
    ['cover', forum.call('POST', apiRoutes.channels, { token, body: newChannel })],
    [
      'cover',
      forum.call('PATCH', apiRoutes.channel(channel._id), { token, headers, body: { cover: url } }),
    ],
    ['img', forum.call('PUT', apiRoutes.updateImage, { token, body: { img: url } })],
    [
      'images',
      forum.call('PUT', apiRoutes.comment, { token, body: { id: channel._id, ...comment } }),
    ],
    [
      'images',
      forum.call('PATCH', apiRoutes.channelComment(channel._id, 1), {
        token,
        headers: { 'if-match': '"1"' },
        body: comment,
      }),
    ],
    [
      'img',
      forum.call('POST', apiRoutes.signUp, {
        body: { name: 'Eva', email: `${crypto.randomUUID()}@e.es`, password: 'x', img: url },
      }),
    ],
  ] as const;
}

async function expectRefusals(forum: Forum, person: Person, channel: Channel, url: string) {
  for (const [field, request] of requestsWith(forum, person, channel, url)) {
    const { errors } = await expectProblem(await request, 400, 'invalid_fields');
    const message = 'Esta imagen ya no está o no la subiste para este uso. Súbela otra vez.';
    assert.deepEqual(errors, [{ field, message }], url);
  }
}

onDisk(
  'the owner of an image',
  (forum) => {
    test('is the only one who can use it, whether it exists or not', async () => {
      const ana = await forum().person('Ana');
      const berta = await forum().person('Berta');
      const channel = await forum().channel(berta);
      await forum().comment(berta, channel._id, 'Antes');
      for (const use of ['avatar', 'comment'] as const) {
        await expectRefusals(forum(), berta, channel, (await upload(forum(), ana, use)).path);
      }
      const { path } = await upload(forum(), ana, 'cover');
      // An image that nobody has is refused in the same words.
      const others = [site + path, `${path}/500.webp`, '/files/images/nunca.png'];
      for (const url of [path, ...others]) await expectRefusals(forum(), berta, channel, url);
    });

    test('can use it only for the purpose of its upload', async () => {
      const ana = await forum().person('Ana');
      const channel = await forum().channel(ana);
      await forum().comment(ana, channel._id, 'Antes');
      const uses = { cover: 'cover', avatar: 'img', comment: 'images' } as const;
      for (const use of ['cover', 'avatar', 'comment'] as const) {
        const { path } = await upload(forum(), ana, use);
        const statuses = [];
        for (const [field, request] of requestsWith(forum(), ana, channel, path).slice(0, -1)) {
          const { ok } = await request;
          statuses.push(ok === (field === uses[use]));
        }
        assert.deepEqual(statuses, [true, true, true, true, true], use);
      }
    });

    test('can keep an unchanged cover or avatar, even if its image is lost', async () => {
      const berta = await forum().person('Berta');
      const { db } = forum().services;
      const { _id } = await forum().channel(berta);
      const url = '/files/images/perdida.png';
      await db.updateTable('channels').set({ cover: url }).where('id', '=', _id).execute();
      await db.updateTable('accounts').set({ img: url }).where('id', '=', berta.id).execute();
      const { revision } = await forum().json<Channel>('GET', apiRoutes.channel(_id));
      const { token } = berta;
      const edited = await forum().json<Channel>('PATCH', apiRoutes.channel(_id), {
        token,
        headers: { 'if-match': `"${revision}"` },
        body: { description: 'Sin portada', cover: url },
      });
      assert.deepEqual([edited.cover, edited.description], [url, 'Sin portada']);
      const body = { img: url };
      const answer = await forum().json<typeof body>('PUT', apiRoutes.updateImage, { token, body });
      assert.equal(answer.img, url);
    });
  },
  { PUBLIC_URL: site },
);

onDisk('an image of a site without PUBLIC_URL', (forum) => {
  test('belongs to its owner under the host of the request', async () => {
    const ana = await forum().person('Ana');
    const berta = await forum().person('Berta');
    const channel = await forum().channel(berta);
    await forum().comment(berta, channel._id, 'Antes');
    const { path } = await upload(forum(), ana, 'cover');
    for (const scheme of ['http', 'https']) {
      const url = forum().url.replace('http', scheme) + path;
      await expectRefusals(forum(), berta, channel, url);
    }
  });
});
