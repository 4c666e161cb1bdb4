import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { StoredFile } from '../../../shared/images.ts';
import { startUpload, type TransferEvents } from './upload-task.ts';

const storedFile: StoredFile = {
  bucket: 'images',
  fullPath: 'images/a.png',
  name: 'a.png',
  size: 100,
  contentType: 'image/png',
  timeCreated: '2026-11-20T10:00:00.000Z',
  updated: '2026-11-20T10:00:00.000Z',
  md5Hash: '',
  customMetadata: {},
  downloadURL: '/files/images/a.png',
};
const lost = { message: 'sin red', canResume: true };
const file = new File(['x'.repeat(100)], 'a.png', { type: 'image/png' });

/** A task with a transport that records its calls. */
async function startTask(loading: Promise<void> = Promise.resolve()) {
  const calls: string[] = [];
  let events: TransferEvents | undefined;
  const task = startUpload(async (given) => {
    events = given;
    await loading;
    return {
      file,
      start: () => calls.push('start'),
      stop: () => calls.push('stop'),
      discard: () => calls.push('discard'),
    };
  });
  await new Promise(setImmediate);
  assert.ok(events);
  return { task, calls, events, state: () => task.getSnapshot().state };
}

suite('an upload task', () => {
  test('is running from the start', async () => {
    const { task, state, calls } = await startTask();
    assert.equal(state(), 'running');
    assert.equal(task.getSnapshot().file, file);
    assert.deepEqual(calls, ['start']);
  });

  test('pauses and resumes', async () => {
    const { task, state, calls } = await startTask();
    task.pause();
    assert.equal(state(), 'paused');
    task.resume();
    assert.equal(state(), 'running');
    assert.deepEqual(calls, ['start', 'stop', 'start']);
  });

  test('reports progress while it runs', async () => {
    const { task, events } = await startTask();
    let changes = 0;
    const unsubscribe = task.subscribe(() => {
      changes += 1;
    });
    events.onProgress(40);
    assert.equal(task.getSnapshot().bytesSent, 40);
    task.pause();
    events.onProgress(60);
    assert.equal(task.getSnapshot().bytesSent, 40);
    assert.equal(changes, 2);
    unsubscribe();
    task.resume();
    assert.equal(changes, 2);
  });

  test('reports what it waits for until it continues', async () => {
    const { task, events, state } = await startTask();
    events.onPause('network');
    assert.equal(state(), 'running');
    assert.equal(task.getSnapshot().pauseReason, 'network');
    events.onProgress(40);
    assert.equal(task.getSnapshot().pauseReason, null);
    events.onPause('server');
    task.pause();
    assert.equal(task.getSnapshot().pauseReason, null);
    events.onPause('network');
    assert.equal(task.getSnapshot().pauseReason, null);
  });

  test('ends in success with the stored file', async () => {
    const { task, events, state } = await startTask();
    events.onSuccess(storedFile);
    assert.equal(state(), 'success');
    assert.equal(task.getSnapshot().storedFile, storedFile);
    assert.equal(task.getSnapshot().bytesSent, 100);
    task.cancel();
    task.pause();
    assert.equal(state(), 'success');
  });

  test('ignores later calls and events once it is canceled', async () => {
    const { task, events, state, calls } = await startTask();
    task.cancel();
    events.onSuccess(storedFile);
    events.onFailure(lost);
    task.resume();
    assert.equal(state(), 'canceled');
    assert.deepEqual(calls, ['start', 'discard']);
  });

  test('can be canceled while it is paused', async () => {
    const { task, state, calls } = await startTask();
    task.pause();
    task.cancel();
    assert.equal(state(), 'canceled');
    assert.deepEqual(calls, ['start', 'stop', 'discard']);
  });

  test('fails with a message, and can be resumed', async () => {
    const { task, events, state, calls } = await startTask();
    events.onFailure(lost);
    assert.equal(state(), 'error');
    assert.deepEqual(task.getSnapshot().failure, lost);
    task.resume();
    assert.equal(state(), 'running');
    assert.equal(task.getSnapshot().failure, null);
    assert.deepEqual(calls, ['start', 'start']);
  });

  test('continues when the network returns, while it runs and after a failure, unless it was rejected', async () => {
    const { task, events, state, calls } = await startTask();
    task.goOn();
    assert.deepEqual(calls, ['start', 'start']);
    events.onFailure(lost);
    task.goOn();
    assert.equal(state(), 'running');
    events.onFailure({ message: 'no es una imagen', canResume: false });
    task.goOn();
    assert.equal(state(), 'error');
    assert.deepEqual(calls, ['start', 'start', 'start']);
  });

  test('does not continue by itself while it is paused', async () => {
    const { task, state, calls } = await startTask();
    task.pause();
    task.goOn();
    assert.equal(state(), 'paused');
    assert.deepEqual(calls, ['start', 'stop']);
  });

  test('does not discard an upload that the server has rejected', async () => {
    const { task, events, state, calls } = await startTask();
    events.onFailure({ message: 'no es una imagen', canResume: false });
    task.cancel();
    assert.equal(state(), 'canceled');
    assert.deepEqual(calls, ['start']);
  });

  test('does not start the transfer while paused before the transport is loaded', async () => {
    const loading = Promise.withResolvers<void>();
    const { task, calls } = await startTask(loading.promise);
    task.pause();
    loading.resolve();
    await new Promise(setImmediate);
    assert.deepEqual(calls, []);
    task.resume();
    assert.deepEqual(calls, ['start']);
  });

  test('has no file before it is prepared, or when it is canceled during the preparation', async () => {
    const loading = Promise.withResolvers<void>();
    const { task } = await startTask(loading.promise);
    assert.equal(task.getSnapshot().file, null);
    task.cancel();
    loading.resolve();
    await new Promise(setImmediate);
    assert.equal(task.getSnapshot().file, null);
  });

  test('fails with the message of a rejected file, even while it is paused', async () => {
    const refused = { message: 'es un PDF', canResume: false };
    const task = startUpload(async () => refused);
    task.pause();
    await new Promise(setImmediate);
    assert.deepEqual(task.getSnapshot().failure, refused);
    assert.equal(task.getSnapshot().state, 'error');
  });

  test('fails when the scripts for uploads cannot be loaded', async (context) => {
    context.mock.method(console, 'error', () => {});
    const task = startUpload(() => Promise.reject(new Error('sin módulo')));
    await new Promise(setImmediate);
    assert.equal(task.getSnapshot().state, 'error');
    assert.deepEqual(task.getSnapshot().failure, {
      message:
        'No se pudo cargar lo necesario para subir imágenes. Comprueba la conexión y recarga la página.',
      canResume: false,
    });
  });
});
