import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { expectProblem, type Forum, type Person } from '../../../test/forum/forum.ts';
import { onEveryImageSetup } from '../../../test/forum/image-setups.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import type { ImageUse, StoredFile } from '../../shared/images.ts';

const site = 'https://foro.example';

const image = (colour: string) =>
  sharp({ create: { width: 50, height: 20, channels: 3, background: colour } })
    .png()
    .toBuffer();

async function upload(forum: Forum, owner: Person, use: ImageUse, filename = 'foto.png') {
  const response = await forum.upload(owner, await image('teal'), { filename, use });
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
    assert.deepEqual(
      errors?.map((error) => error.field),
      [field],
      url,
    );
  }
}

onEveryImageSetup(
  'the owner of an image',
  (forum) => {
    test('is the only one who can use it, in any spelling of its URL', async () => {
      const ana = await forum().person('Ana');
      const berta = await forum().person('Berta');
      const channel = await forum().channel(berta);
      await forum().comment(berta, channel._id, 'Antes');
      for (const use of ['avatar', 'comment'] as const) {
        await expectRefusals(forum(), berta, channel, (await upload(forum(), ana, use)).path);
      }
      const { path, name, downloadURL } = await upload(forum(), ana, 'cover');
      for (const url of [
        path,
        downloadURL,
        `${site}${path}`,
        `HTTPS://FORO.example:443${path}`,
        `https://foro.example.${path}`,
        `${site}/files//images/${name}`,
        `${site}/x/..${path}`,
        `${site}/%66iles/images/${name}`,
        `${site}${path}?x`,
        `${site}${path}#x`,
        `${path}/500.webp`,
      ]) {
        await expectRefusals(forum(), berta, channel, url);
      }
    });

    test('can use it only for what it was uploaded for', async () => {
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

    test('gets the same file for the same name and bytes; another account gets another file', async () => {
      const ana = await forum().person('Ana');
      const berta = await forum().person('Berta');
      const first = await upload(forum(), ana, 'avatar', 'a.png');
      const other = await upload(forum(), berta, 'avatar', 'a.png');
      assert.match(other.name, /^a-[0-9a-f]{8}\.png$/);
      assert.equal((await upload(forum(), ana, 'avatar', 'a.png')).name, first.name);
      assert.equal((await upload(forum(), berta, 'avatar', 'a.png')).name, other.name);
    });

    test('an unchanged cover or avatar is accepted, also when its image is lost', async () => {
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
      const answer = await forum().json<{ img: string }>('PUT', apiRoutes.updateImage, {
        token,
        body: { img: url },
      });
      assert.equal(answer.img, url);
    });
  },
  { PUBLIC_URL: site },
);

onEveryImageSetup('an image of a site without PUBLIC_URL', (forum) => {
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
