import type { QueryClient } from '@tanstack/react-query';
import type { PageData, Site } from '../shared/page-data.ts';
import { searchUrl, withQuery } from '../shared/routes.ts';
import { publicKeys } from './api/query-client.ts';
import { readSearch } from './search/search-address.ts';

/** For how long what a page was served with is not asked for again. */
const freshMs = 5_000;

/** The query that the server renders these data for; undefined where it renders the path alone. */
export function servedSearch(data: PageData): string | undefined {
  if (data.page === 'user' || data.page === 'log') return withQuery('', { after: data.after });
  if (data.page !== 'search') return undefined;
  const [channel, author] = [data.channel?._id, data.author?.id];
  return new URL(searchUrl({ ...data, channel, author }), 'http://localhost').search;
}

/** Gives queries what the page was served with, so that the first rendering in the browser equals the server's. */
export function fillQueries(client: QueryClient, data: PageData, { rules, contact }: Site): void {
  const fill = (key: readonly unknown[], answer: unknown) =>
    client.setQueryData(key, answer, { updatedAt: Date.now() + freshMs });
  if (rules !== undefined) fill(publicKeys.rules, { rules, contact: contact ?? '' });
  if (data.page === 'home') {
    const { channels, pinned, order, next, after } = data;
    // Home asks for its list anyway, as specified.
    client.setQueryData(publicKeys.channels(order, after), {
      pages: [{ data: channels, pinned, next }],
      pageParams: [after],
    });
  }
  if (data.page === 'log')
    fill(publicKeys.log(data.after), { data: data.entries, next: data.next });
  if (data.page === 'user') {
    const { person, channels, comments, next, after } = data;
    fill(publicKeys.person(person.id), { person, channels });
    fill(publicKeys.personComments(person.id, after), {
      pages: [{ data: comments, next }],
      pageParams: [after],
    });
  }
  if (data.page === 'search') {
    const { channel, author, results, hint, after } = data;
    const search = readSearch(servedSearch(data) ?? '');
    if (channel) fill(publicKeys.searchedChannel(channel._id), channel);
    if (author) fill(publicKeys.searchedAuthor(author.id), author);
    fill(publicKeys.hits({ ...search, isTyping: false }), {
      pages: [{ results, hint }],
      pageParams: [{ q: search.q, after }],
    });
  }
}
