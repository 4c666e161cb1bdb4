import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { LoggedErrors } from '../../src/server/operation/alerts/logged-errors.ts';
import { alertCheck } from '../../src/server/operation/alerts/start-alerts.ts';
import { Forum } from '../forum/forum.ts';
import { noSmallDisk, SmallDisk } from './small-disk.ts';

test('a disk that fills up raises an alert once, although nothing can be stored, and another one when it has room', {
  skip: noSmallDisk,
}, async (t) => {
  const posted: string[] = [];
  const sink = createServer(async (request, response) => {
    const { kind, type } = JSON.parse(await text(request)) as Record<string, string>;
    posted.push(`${kind} ${type}`);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  t.after(() => sink.close());
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
  const disk = new SmallDisk();
  try {
    const settings = { DATA_DIR: disk.folder, ALERT_URL: url, LOG_LEVEL: 'silent' };
    await using forum = await Forum.start('sqlite', settings);
    const log = { warn: () => {}, error: () => {} };
    const startCheck = () => alertCheck(forum.services, log, new LoggedErrors());
    const check = startCheck();
    await check();
    assert.deepEqual(posted, []);
    const free = disk.fill();
    for (let checks = 0; checks < 10; checks++) await check();
    assert.deepEqual(posted, ['disk failure']);
    // A server that has been restarted knows nothing of it.
    const checkOfNext = startCheck();
    for (let checks = 0; checks < 10; checks++) await checkOfNext();
    assert.deepEqual(posted, ['disk failure', 'disk failure']);
    free();
    await check();
    assert.deepEqual(posted.slice(2), ['disk success']);
  } finally {
    disk.remove();
  }
});
