import type { QueryClient } from '@tanstack/react-query';
import type { PageData, Site } from '../../shared/page-data.ts';
import { searchUrl, withQuery } from '../../shared/routes.ts';
import { publicKeys } from '../api/query-client.ts';

/** A time in the future, so that the first rendering treats the embedded data as fresh. */
const servedAt = Date.now() + 3_600_000;

/** The data that the server embedded in a page. */
export interface Served {
  /** The query string that the server rendered the page for; undefined where it renders from the path alone. */
  search: string | undefined;
  /** Sets the data of queries in advance, so that the first rendering in the browser equals the server's. */
  fill: (client: QueryClient) => void;
  /** After the first rendering, marks these data as stale, so that they are fetched when they are shown again. */
  settle: (client: QueryClient) => void;
}

export const servedWith = (data: PageData, site: Site): Served => ({
  search: servedSearch(data),
  fill: (client) => fillQueries(client, data, site),
  settle: (client) => {
    const predicate = ({ state }: { state: { dataUpdatedAt: number } }) =>
      state.dataUpdatedAt === servedAt;
    void client.invalidateQueries({ predicate, refetchType: 'none' });
  },
});

function servedSearch(data: PageData): string | undefined {
  if (data.page === 'user' || data.page === 'log') return withQuery('', { after: data.after });
  if (data.page !== 'search') return undefined;
  const [channel, author] = [data.channel?._id, data.author?.id];
  return new URL(searchUrl({ ...data, channel, author }), 'http://localhost').search;
}

function fillQueries(client: QueryClient, data: PageData, { rules, contact }: Site): void {
  const fill = (key: readonly unknown[], answer: unknown) =>
    client.setQueryData(key, answer, { updatedAt: servedAt });
  if (rules !== undefined) fill(publicKeys.rules, { rules, contact: contact ?? '' });
  if (data.page === 'home') {
    const { channels, pinned, order, next, after } = data;
    // The home page fetches its list anyway, as specified.
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
    const { q, channel, author, isExact, sort, results, hint, after } = data;
    if (channel) fill(publicKeys.searchedChannel(channel._id), channel);
    if (author) fill(publicKeys.searchedAuthor(author.id), author);
    const search = { q, channel: channel?._id, author: author?.id, isExact, sort, after };
    fill(publicKeys.hits({ ...search, isTyping: false }), {
      pages: [{ results, hint }],
      pageParams: [{ q, after }],
    });
  }
}
