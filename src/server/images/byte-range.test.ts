import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRange } from './byte-range.ts';

test('a Range header selects a part, the whole object, or is unsatisfiable', () => {
  const of = (range: string, ifRange?: string) =>
    parseRange({ range, ...(ifRange ? { 'if-range': ifRange } : {}) }, 100, '"v1"');
  assert.deepEqual(of('bytes=0-9'), { start: 0, end: 9 });
  assert.deepEqual(of('bytes=90-'), { start: 90, end: 99 });
  assert.deepEqual(of('bytes=90-500'), { start: 90, end: 99 });
  assert.deepEqual(of('bytes=-10'), { start: 90, end: 99 });
  assert.deepEqual(of('bytes=-500'), { start: 0, end: 99 });
  for (const whole of ['bytes=-', 'bytes=5-4', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b']) {
    assert.equal(of(whole), undefined, whole);
  }
  for (const none of ['bytes=100-', 'bytes=100-200', 'bytes=-0']) {
    assert.equal(of(none), 'unsatisfiable', none);
  }
  assert.deepEqual(of('bytes=0-9', '"v1"'), { start: 0, end: 9 });
  assert.equal(of('bytes=0-9', '"v0"'), undefined);
});
