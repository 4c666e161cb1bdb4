import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import sharp from 'sharp';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { DescribedClient } from '../../../../test/forum/described-client.ts';
import { Forum } from '../../../../test/forum/forum.ts';

describe('the API description', () => {
  let forum: Forum;
  before(async () => {
    forum = await Forum.start('sqlite');
  });
  after(() => forum.stop());

  test('follows the recommended rules for OpenAPI', async () => {
    const source = await (await forum.call('GET', '/api/openapi.json')).text();
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    const found = problems.map(({ ruleId, message, location }) =>
      [ruleId, message, location[0]?.pointer].join(' '),
    );
    assert.deepEqual(found, []);
  });

  test('is enough to upload an image in parts, to ask how far it came, and to cancel an upload', async () => {
    const bytes = await sharp({
      create: { width: 40, height: 40, channels: 3, background: 'olive' },
    })
      .png()
      .toBuffer();
    const client = await DescribedClient.open(forum, await forum.person());
    const [create, upload] = client.pathsOf('uploads');
    assert.ok(create && upload);
    const metadata = { filename: 'Olivo.png', filetype: 'image/png', use: 'cover' };
    const start = { 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata };
    const begun = await client.call('post', create, { headers: start });
    assert.equal(begun.status, 201);
    const at = begun.headers.get('location') ?? '';

    const send = (from: number, to: number) =>
      client.call('patch', upload, {
        at,
        headers: { 'Upload-Offset': String(from) },
        body: bytes.subarray(from, to),
      });
    assert.equal((await send(0, 20)).status, 204);
    const asked = await client.call('head', upload, { at });
    assert.equal(asked.headers.get('upload-offset'), '20');
    const last = await send(20, bytes.length);
    assert.equal(last.status, 200);
    const stored: unknown = await last.json();
    assert.ok(Value.Check(client.schemaOf('patch', upload, '200') as TSchema, stored));
    assert.equal((stored as { name: string }).name, metadata.filename);

    const another = await client.call('post', create, { headers: start });
    const cancelled = { at: another.headers.get('location') ?? '' };
    assert.equal((await client.call('delete', upload, cancelled)).status, 204);
    assert.equal((await client.call('head', upload, cancelled)).status, 404);
  });

  test('says of what is not JSON what it is, and gives problems a type of their own', async () => {
    const client = await DescribedClient.open(forum, await forum.person());
    const typesOf = (path: string, status: string) => client.typesOf('get', path, status);
    assert.deepEqual(typesOf('/api/user/export', '200'), ['application/zip']);
    assert.deepEqual(typesOf('/api/channels/{id}/live', '200'), ['text/event-stream']);
    assert.ok(typesOf('/files/images/{name}', '206').includes('image/avif'));
    assert.deepEqual(typesOf('/files/images/{name}/{variant}', '200'), [
      ...['image/webp', 'image/jpeg'],
    ]);
    for (const { responses } of client.operations()) {
      for (const status of ['4XX', '5XX']) {
        const types = Object.keys(responses[status]?.content ?? {});
        assert.deepEqual(types, ['application/problem+json']);
      }
    }
  });
});

test('the description names the site by its address, and its cookie by the name there', async () => {
  await using forum = await Forum.start('sqlite', { PUBLIC_URL: 'https://foro.ejemplo.es' });
  const { servers, components } = await forum.json<{
    servers: object[];
    components: { securitySchemes: { rememberedBrowser: { name: string } } };
  }>('GET', '/api/openapi.json');
  assert.deepEqual(servers, [{ url: 'https://foro.ejemplo.es' }]);
  assert.equal(components.securitySchemes.rememberedBrowser.name, '__Secure-tertulia');
});
