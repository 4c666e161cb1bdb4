import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sendRaw } from '../../../../test/attacks/send-raw.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { makeDailyBackup } from '../backups/daily-backup.ts';
import { describeFailure, exitCodeOf } from '../command/failures.ts';
import { serveMetrics } from './metrics-server.ts';

const deploy = path.join(import.meta.dirname, '../../../../deploy');
const promtool = '/usr/bin/promtool';
const noPromtool = !existsSync(promtool) && `${promtool} is not installed`;

test('Prometheus accepts the delivered settings', { skip: noPromtool }, () => {
  const file = path.join(deploy, 'prometheus/scrape.yaml');
  const { status, stderr } = spawnSync(promtool, ['check', 'config', '--syntax-only', file]);
  assert.equal(status, 0, String(stderr));
});

describe('metrics', () => {
  let forum: Forum;
  let server: Server | undefined;
  let url: string;
  before(async () => {
    forum = await Forum.start('sqlite', { METRICS: 'on', PORT: '0', METRICS_PORT: '0' });
    assert.ok(forum.metrics);
    server = await serveMetrics(forum.services.config, forum.metrics, forum.app.log);
    assert.ok(server);
    const { address, port } = server.address() as AddressInfo;
    url = `http://${address}:${port}/metrics`;
  });
  after(async () => {
    server?.close();
    await forum?.stop();
  });

  const read = async () => (await fetch(url)).text();
  const readValue = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await read())?.[1]);
  const send = (request: string) => sendRaw(url, request);

  test('are served on a loopback address of their own and not by the site', async () => {
    assert.equal(new URL(url).hostname, '127.0.0.1');
    const { status, headers } = await fetch(url);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');

    const page = await forum.call('GET', '/metrics', { headers: { accept: 'text/html' } });
    assert.equal(page.status, 404);
    assert.match(await page.text(), /Página no encontrada/);
  });

  test('count requests by route and status, without ids', async () => {
    const { _id } = await forum.channel(await forum.person());
    await forum.call('GET', apiRoutes.channel(_id));
    await forum.call('GET', apiRoutes.channel('nada'));
    const text = await read();
    for (const status of [200, 404]) {
      const labels = `method="GET",route="/api/channels/:id",status="${status}"`;
      assert.ok(text.includes(`http_request_duration_seconds_count{${labels}} 1\n`), labels);
    }
    assert.ok(!text.includes(_id));
  });

  test('contain the size and the free space of the disk, and the time of the last verified backup, or 0 without one', async () => {
    const { bsize, blocks } = await statfs(forum.services.config.dataDir);
    assert.equal(await readValue('tertulia_disk_size_bytes'), bsize * blocks);
    const freeBytes = await readValue('tertulia_disk_free_bytes');
    assert.ok(freeBytes > 0 && freeBytes < bsize * blocks);

    const name = 'tertulia_last_verified_backup_timestamp_seconds';
    assert.equal(await readValue(name), 0);
    const beganSeconds = Date.now() / 1000;
    await makeDailyBackup({ ...forum.services.config, backupKeep: 1 }, Date.now());
    assert.ok((await readValue(name)) >= beganSeconds);
  });

  test('contain all series that the delivered alerts query', async () => {
    const names = [...(await read()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    const text = await readFile(path.join(deploy, 'prometheus/tertulia.rules.yaml'), 'utf8');
    const asked = new Set(text.match(/\b(?:tertulia|http|nodejs|process)_\w+/g));
    assert.ok(asked.size >= 5);
    for (const name of asked)
      assert.ok(names.includes(name.replace(/_(?:bucket|count|sum)$/, '')), name);
  });

  test('have names and texts that Prometheus accepts', { skip: noPromtool }, async () => {
    const { stderr } = spawnSync(promtool, ['check', 'metrics'], { input: await read() });
    const complaints = String(stderr).trim().split('\n');
    // These names are prom-client's, and its users know them.
    assert.deepEqual(
      complaints.filter((line) => !/^nodejs_active_\w+_total /.test(line)),
      [],
    );
  });

  test('are the only thing at their address, and can only be read', async () => {
    for (const path of ['/', '/healthz', '/metrics/', '/metrics?x', '/%6detrics']) {
      const response = await fetch(new URL(path, url));
      assert.deepEqual([response.status, await response.text()], [404, ''], path);
    }
    for (const method of ['POST', 'OPTIONS'])
      assert.equal((await fetch(url, { method })).status, 405, method);
    assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
  });

  test('are sent once for each connection, so that pipelined requests cannot fill the memory', async () => {
    const { head, body } = await send('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2000));
    assert.match(head, /^HTTP\/1\.1 200 /);
    assert.match(head, /^connection: close$/im);
    assert.equal(body.match(/^# TYPE http_request_duration_seconds /gm)?.length, 1);
  });

  test('refuse a request head above 8 kB and bytes that are not HTTP', async () => {
    const long = await send(`GET /metrics HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(8192)}\r\n\r\n`);
    assert.match(long.head, /^HTTP\/1\.1 431 /);
    assert.match((await send('HOLA\r\n\r\n')).head, /^HTTP\/1\.1 400 /);
    assert.match((await send('GET /metrics HTTP/1.1\r\n\r\n')).head, /^HTTP\/1\.1 400 /);
  });

  test('a client that does not finish its request is disconnected', async () => {
    await Promise.all(
      [
        'GET /metrics HTTP/1.1\r\nHost: a\r\n',
        'POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\na',
      ].map(async (begun) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        const closed = once(socket, 'close');
        socket.resume().write(begun);
        await closed;
      }),
    );
    assert.equal((await fetch(url)).status, 200);
  });

  test('an address that is taken, or not of this machine, is named with its setting and an exit code', async () => {
    for (const [host, port, code, expected] of [
      [
        '127.0.0.1',
        Number(new URL(url).port),
        3,
        /^Another program listens at 127.*METRICS_PORT\.$/,
      ],
      // As with a wrong HOST, systemd does not restart the server after this code.
      ['192.0.2.1', 0, 2, /- The metrics cannot be served at 192\.0\.2\.1.*METRICS_HOST/],
    ] as const) {
      assert.ok(forum.metrics);
      const config = { metrics: { host, port } };
      const error = await serveMetrics(config, forum.metrics, forum.app.log).then(
        () => assert.fail('it listens'),
        (reason: unknown) => reason,
      );
      assert.equal(exitCodeOf(error), code);
      assert.match(String(describeFailure(error)), expected);
    }
  });
});
