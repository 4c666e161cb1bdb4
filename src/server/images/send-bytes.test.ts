import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { FaultyBucket } from '../../../test/bucket/faulty-bucket.ts';
import { eventually } from '../../../test/eventually.ts';
import { Forum, type Person } from '../../../test/forum/forum.ts';
import { noisyImage } from '../../../test/forum/tus-upload.ts';
import type { StoredFile } from '../../shared/images.ts';

/** Side in pixels of an image that does not fit into the socket buffers of a connection. */
const largeSide = 1500;

for (const store of ['a bucket', 'disk'] as const) {
  describe(`downloads of images on ${store}`, () => {
    let bucket: FaultyBucket;
    let forum: Forum;
    let owner: Person;
    let large: StoredFile;
    let small: StoredFile;
    const unread: Socket[] = [];
    before(async () => {
      bucket = await FaultyBucket.start();
      forum = await Forum.start('sqlite', store === 'disk' ? {} : bucket.env);
      owner = await forum.person();
      large = await upload(await noisyImage(largeSide), 'grande.png');
      small = await upload(await quarters(40, 16).png().toBuffer(), 'chica.png');
    });
    afterEach(() => {
      for (const socket of unread.splice(0)) socket.destroy();
    });
    after(async () => {
      await forum?.stop();
      bucket?.stop();
    });

    const upload = async (bytes: Buffer, filename: string) => {
      // The variants of a cover take long to make and are not needed here.
      const response = await forum.upload(owner, bytes, { filename, use: 'avatar' });
      assert.equal(response.status, 200);
      return (await response.json()) as StoredFile;
    };
    /** Requests the large image and reads only the head of the response. */
    const ask = async () => {
      const { hostname, port } = new URL(forum.url);
      const socket = connect(Number(port), hostname).on('error', () => {});
      unread.push(socket);
      socket.write(`GET ${large.downloadURL} HTTP/1.1\r\nhost: foro.example\r\n\r\n`);
      await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
    };
    const whole = async ({ downloadURL, size }: StoredFile) => {
      const response = await forum.call('GET', downloadURL);
      return (await response.arrayBuffer()).byteLength === size;
    };

    test('sixty stalled downloads block neither readiness nor others, and close their files once they are aborted', async () => {
      await Promise.all(Array.from({ length: 60 }, ask));
      assert.equal((await forum.call('GET', '/readyz')).status, 200);
      assert.ok(await whole(small));
      assert.ok(await whole(large));
      await upload(await quarters(20, 8).png().toBuffer(), 'otra.png');
      if (store === 'disk') assert.ok((await openImages()) >= 60);
      for (const socket of unread.splice(0)) socket.destroy();
      await eventually('nothing is open', async () => (await openImages()) === 0);
    });

    if (store === 'a bucket') {
      test('the response names a bucket that fails before the first byte, and has no entity tag', async () => {
        bucket.affectedRequests = 'GET images/';
        bucket.behaviour = 'broken';
        const range = { range: 'bytes=0-500000' };
        for (const headers of [{}, range]) {
          const response = await forum.call('GET', large.downloadURL, { headers });
          assert.equal(response.status, 503);
          assert.match(await response.text(), /El almacén de imágenes no responde/);
          for (const name of ['etag', 'content-range'])
            assert.equal(response.headers.get(name), null);
        }
        bucket.behaviour = 'normal';
        assert.ok(await whole(large));
      });
    }

    /** Number of image files that this process has open. */
    async function openImages(): Promise<number> {
      const folder = `${forum.services.config.dataDir}/images/`;
      const handles = await readdir('/proc/self/fd');
      const files = await Promise.all(
        handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')),
      );
      return files.filter((file) => file.startsWith(folder)).length;
    }
  });
}
