import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageData } from '../../shared/page-data.ts';
import { createQueryClient, publicKeys } from './query-client.ts';
import { fillQueries } from './served-queries.ts';

/** A client with the data that a page comes with, and their query keys. */
function filled(data: object) {
  const queries = createQueryClient();
  fillQueries(queries, data as PageData);
  const keys = queries
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey);
  return { queries, keys };
}

test('a page of results comes with them, and with the channel and the person that they are limited to', () => {
  const data = {
    page: 'search',
    q: 'pan',
    isExact: false,
    sort: 'new',
    after: null,
    hint: null,
  };
  const all = filled({ ...data, channel: null, author: null, results: null });
  assert.equal(all.keys.length, 1);
  const channel = { _id: 'c1', name: 'Cine' };
  const author = { id: 'u1', name: 'Ana' };
  const limited = filled({ ...data, channel, author, results: null });
  assert.deepEqual(limited.queries.getQueryData(publicKeys.searchedChannel('c1')), channel);
  assert.deepEqual(limited.queries.getQueryData(publicKeys.searchedAuthor('u1')), author);
  assert.equal(limited.keys.length, 3);
});

test('lists that go on are filled under the cursor of their page', () => {
  const log = filled({ page: 'log', entries: [], next: 'b', after: 'a' });
  assert.deepEqual(log.queries.getQueryData(publicKeys.log('a')), { data: [], next: 'b' });
  const person = { id: 'u1' };
  const user = filled({ page: 'user', person, channels: [], comments: [], next: null, after: 'a' });
  assert.deepEqual(user.keys, [publicKeys.person('u1'), publicKeys.personComments('u1', 'a')]);
});

test('the data of a page is fresh until it has been shown', () => {
  const { queries } = filled({ page: 'log', entries: [], next: null, after: null });
  const queryKey = publicKeys.log(null);
  const query = queries.getQueryCache().build(queries, queries.defaultQueryOptions({ queryKey }));
  const { staleTime } = queries.defaultQueryOptions({ queryKey });
  assert.ok(typeof staleTime === 'function');
  assert.equal(query.isStaleByTime(staleTime(query)), false);
  void queries.invalidateQueries({ refetchType: 'none' });
  assert.equal(query.isStaleByTime(staleTime(query)), true);
});
