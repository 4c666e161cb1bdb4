import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { commentNo } from '../../../../test/client/state-examples.ts';
import { createAnnouncer } from './announcer.ts';

/** An announcer whose texts are collected, and a clock that only the test advances. */
function announcing(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const said: string[] = [];
  const announcer = createAnnouncer(({ text }) => said.push(text));
  return { ...announcer, said, clock: t.mock.timers };
}

test('a new comment is announced at once by its author, and several within three seconds by their number', (t) => {
  const { announce, said, clock } = announcing(t);
  announce(commentNo(1));
  assert.deepEqual(said, ['Nuevo comentario de Lucía']);
  announce(commentNo(2));
  announce(commentNo(3));
  clock.tick(2999);
  assert.equal(said.length, 1);
  clock.tick(1);
  assert.deepEqual(said.slice(1), ['2 comentarios nuevos']);
  announce(commentNo(4));
  clock.tick(3000);
  assert.deepEqual(said.slice(2), ['Nuevo comentario de Lucía']);
  clock.tick(3000);
  announce(commentNo(5));
  assert.equal(said.length, 4, 'at once after a pause');
});

test('nothing more is announced once it has stopped', (t) => {
  const { announce, stop, said, clock } = announcing(t);
  announce(commentNo(1));
  announce(commentNo(2));
  stop();
  clock.tick(10_000);
  assert.equal(said.length, 1);
});
