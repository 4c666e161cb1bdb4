import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeTimeZone } from '../../../../test/client/change-time-zone.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { readZip } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Failure } from '../../api/failures.ts';
import { saveSession } from '../../session/save-session.ts';
import { sessionStore } from '../../storage/browser-storage.ts';
import { exportName, fetchExport } from './fetch-export.ts';

const { fetch } = globalThis;

changeTimeZone('America/Mexico_City');

test('the file has the day where its reader is', () => {
  assert.equal(exportName(new Date('2026-03-01T05:59:00Z')), 'tertulia-2026-02-28.zip');
});

test('an export is downloaded whole, counting its bytes, or fails with the reason', async (t) => {
  await using forum = await Forum.start('sqlite');
  const toForum = (init?: RequestInit) => fetch(new URL(apiRoutes.export, forum.url), init);
  let respond = toForum;
  t.mock.method(globalThis, 'fetch', (url: string | URL, init?: RequestInit) =>
    typeof url === 'string' ? respond(init) : fetch(url, init),
  );
  const person = await forum.person();
  saveSession({ token: person.token, user: person });
  t.after(sessionStore.clear);
  const { signal } = new AbortController();
  let received = 0;
  const blob = await fetchExport(signal, (bytes) => {
    received = bytes;
  });
  assert.equal(received, blob.size);
  assert.ok(readZip(Buffer.from(await blob.arrayBuffer())).has('comentarios.jsonl'));

  const failure = (abort = signal) =>
    fetchExport(abort, () => {}).then(
      () => assert.fail('it succeeded'),
      (error) => {
        assert.ok(error instanceof Failure);
        return error.text;
      },
    );
  const isLost = /^No hay conexión con/;
  assert.match(await failure(AbortSignal.abort()), isLost);
  respond = () => Promise.reject(new TypeError('connection lost'));
  assert.match(await failure(), isLost);
  respond = async () => new Response('<h1>Bad gateway</h1>', { status: 503 });
  assert.match(await failure(), /^Ahora mismo hay un problema en el servidor\./);
  respond = toForum;
  saveSession({ token: 'ended', user: person });
  assert.match(await failure(), /sesión/);
});
