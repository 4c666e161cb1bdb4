import type { QueryClient } from '@tanstack/react-query';
import type { PageData } from '../../shared/page-data.ts';
import { publicKeys, servedAt } from './query-client.ts';

/** Sets the data of queries in advance, so that the first rendering in the browser equals the server's. */
export function fillQueries(client: QueryClient, data: PageData): void {
  const fill = (key: readonly unknown[], answer: unknown) =>
    client.setQueryData(key, answer, { updatedAt: servedAt });
  if (data.page === 'home') {
    const { channels, pinned, upcoming, order, next, after } = data;
    // The home page fetches its list anyway, as specified.
    client.setQueryData(publicKeys.channels(order, after), {
      pages: [{ data: channels, pinned, upcoming, next }],
      pageParams: [after],
    });
  }
  if (data.page === 'calendar') fill(publicKeys.calendar(data.from, data.after), data.calendar);
  if (data.page === 'documents') {
    const { q, channel, documents, after } = data;
    fill(publicKeys.documents({ q, channel: channel?._id, after }), documents);
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
