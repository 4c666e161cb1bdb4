import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageData, Site } from '../../shared/page-data.ts';
import { createQueryClient, publicKeys } from '../api/query-client.ts';
import { servedWith } from './served-queries.ts';

const site = { hasContact: false } as Site;
const client = () => createQueryClient();
/** The data that a page fills in, by query key, and the query string that it was rendered for. */
function filled(data: object, more: Partial<Site> = {}) {
  const queries = client();
  const served = servedWith(data as PageData, { ...site, ...more });
  served.fill(queries);
  const keys = queries.getQueryCache().getAll();
  return { queries, served, search: served.search, keys: keys.map(({ queryKey }) => queryKey) };
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
  assert.equal(all.search, '?q=pan');
  assert.equal(all.keys.length, 1);
  const channel = { _id: 'c1', name: 'Cine' };
  const author = { id: 'u1', name: 'Ana' };
  const limited = filled({ ...data, channel, author, results: null });
  assert.deepEqual(limited.queries.getQueryData(publicKeys.searchedChannel('c1')), channel);
  assert.deepEqual(limited.queries.getQueryData(publicKeys.searchedAuthor('u1')), author);
  assert.equal(limited.keys.length, 3);
});

test('the rules come with the contact, and other pages come without them', () => {
  const { queries, search } = filled({ page: 'rules' }, { rules: 'Sin prisa' });
  assert.deepEqual(queries.getQueryData(publicKeys.rules), { rules: 'Sin prisa', contact: '' });
  assert.equal(search, undefined);
  assert.deepEqual(filled({ page: 'login' }).keys, []);
});

test('lists that go on are filled under the cursor of their page', () => {
  const log = filled({ page: 'log', entries: [], next: 'b', after: 'a' });
  assert.equal(log.search, '?after=a');
  assert.deepEqual(log.queries.getQueryData(publicKeys.log('a')), { data: [], next: 'b' });
  const person = { id: 'u1' };
  const user = filled({ page: 'user', person, channels: [], comments: [], next: null, after: 'a' });
  assert.deepEqual(user.keys, [publicKeys.person('u1'), publicKeys.personComments('u1', 'a')]);
});

test('the data of a page is fresh until it has been shown', () => {
  const { queries, served } = filled({ page: 'log', entries: [], next: null, after: null });
  const isStale = () => queries.getQueryState(publicKeys.log(null))?.isInvalidated;
  assert.equal(isStale(), false);
  served.settle(queries);
  assert.equal(isStale(), true);
});
