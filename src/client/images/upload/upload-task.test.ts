import assert from 'node:assert/strict';
import { test } from 'node:test';
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
const rejected = { message: 'no es una imagen', canResume: false };
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

test('an upload runs from the start, can be paused, and then does not continue by itself', async () => {
  const { task, state, calls } = await startTask();
  assert.equal(state(), 'running');
  assert.equal(task.getSnapshot().file, file);
  task.pause();
  task.goOn();
  assert.equal(state(), 'paused');
  assert.deepEqual(calls, ['start', 'stop']);
  task.resume();
  assert.equal(state(), 'running');
  assert.deepEqual(calls, ['start', 'stop', 'start']);
});

test('an upload reports its progress, and what it waits for, only while it runs', async () => {
  const { task, events } = await startTask();
  let changes = 0;
  const unsubscribe = task.subscribe(() => {
    changes += 1;
  });
  events.onPause('network');
  assert.equal(task.getSnapshot().pauseReason, 'network');
  events.onProgress(40);
  assert.deepEqual([task.getSnapshot().bytesSent, task.getSnapshot().pauseReason], [40, null]);
  events.onPause('server');
  task.pause();
  events.onPause('network');
  events.onProgress(60);
  assert.deepEqual([task.getSnapshot().bytesSent, task.getSnapshot().pauseReason], [40, null]);
  assert.equal(changes, 4);
  unsubscribe();
  task.resume();
  assert.equal(changes, 4);
});

test('an upload ends in success with the stored file, for good', async () => {
  const { task, events, state, calls } = await startTask();
  events.onSuccess(storedFile);
  task.cancel();
  task.pause();
  assert.equal(state(), 'success');
  assert.equal(task.getSnapshot().storedFile, storedFile);
  assert.equal(task.getSnapshot().bytesSent, 100);
  assert.deepEqual(calls, ['start']);
});

test('an upload that is canceled, running or paused, is deleted and ignores later calls and events', async () => {
  for (const isPaused of [false, true]) {
    const { task, events, state, calls } = await startTask();
    if (isPaused) task.pause();
    task.cancel();
    events.onSuccess(storedFile);
    events.onFailure(lost);
    task.resume();
    assert.equal(state(), 'canceled');
    assert.deepEqual(calls, ['start', ...(isPaused ? ['stop'] : []), 'discard']);
  }
});

test('an upload that failed can be resumed, and continues when the network returns', async () => {
  const { task, events, state, calls } = await startTask();
  task.goOn();
  for (const go of [task.resume, task.goOn]) {
    events.onFailure(lost);
    assert.equal(state(), 'error');
    assert.deepEqual(task.getSnapshot().failure, lost);
    calls.length = 0;
    go();
    assert.equal(state(), 'running');
    assert.equal(task.getSnapshot().failure, null);
    assert.deepEqual(calls, ['start']);
  }
});

test('an upload that the server has rejected neither continues by itself nor is deleted again', async () => {
  const { task, events, state, calls } = await startTask();
  events.onFailure(rejected);
  task.goOn();
  assert.equal(state(), 'error');
  task.cancel();
  assert.equal(state(), 'canceled');
  assert.deepEqual(calls, ['start']);
});

test('an upload that is paused or canceled before its file is prepared is not sent', async () => {
  const paused = Promise.withResolvers<void>();
  const one = await startTask(paused.promise);
  one.task.pause();
  paused.resolve();
  await new Promise(setImmediate);
  assert.deepEqual(one.calls, []);
  one.task.resume();
  assert.deepEqual(one.calls, ['start']);

  const canceled = Promise.withResolvers<void>();
  const other = await startTask(canceled.promise);
  other.task.cancel();
  canceled.resolve();
  await new Promise(setImmediate);
  assert.equal(other.task.getSnapshot().file, null);
  assert.deepEqual(other.calls, []);
});

test('an upload fails, even while it is paused, when its file is refused or its scripts cannot be loaded', async (context) => {
  const logged = context.mock.method(console, 'error', () => {});
  const message =
    'No se pudo cargar lo necesario para subir archivos. Comprueba la conexión y recarga la página.';
  for (const [open, failure] of [
    [async () => rejected, rejected],
    [() => Promise.reject(new Error('sin módulo')), { message, canResume: false }],
  ] as const) {
    const task = startUpload(open);
    task.pause();
    await new Promise(setImmediate);
    assert.equal(task.getSnapshot().state, 'error');
    assert.deepEqual(task.getSnapshot().failure, failure);
  }
  // As specified, both are written to the console.
  assert.equal(logged.mock.callCount(), 2);
});
