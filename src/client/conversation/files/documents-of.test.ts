import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWith, commentNo } from '../../../../test/client/state-examples.ts';
import { limits } from '../../../shared/limits.ts';
import { documentsOf } from './documents-of.ts';

const file = (name: string) => ({ url: `/files/files/1/${name}`, name, size: 1, type: 'x/y' });

test('the latest files are those of the comments on the page as these are now, and the others as they were fetched', () => {
  const { channelId, number, autor, createdAt } = commentNo(1);
  const fetched = (name: string, number: number) => {
    return { ...file(name), channel: { _id: channelId, name: '' }, number, autor, createdAt };
  };
  const names = (comments: ReturnType<typeof commentNo>[]) =>
    documentsOf({
      ...channelWith('c1', 9, { comments }),
      documents: [fetched('borrado', 5), fetched('antiguo', number)],
      span: { first: 4, last: null },
      changes: 0,
    }).map(({ name }) => name);
  assert.deepEqual(names([]), ['antiguo'], 'the deleted one was on the page');
  const five = { ...commentNo(5), files: [file('uno'), file('dos')] };
  assert.deepEqual(names([five]), ['uno', 'dos', 'antiguo']);
  const many = ['a', 'b', 'c', 'd'].map(file);
  const newest = names([five, { ...commentNo(6), files: many }]);
  assert.deepEqual(newest, ['a', 'b', 'c', 'd', 'uno']);
  assert.equal(newest.length, limits.asideItems);
});
