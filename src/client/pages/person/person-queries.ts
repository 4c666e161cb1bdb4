import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ChannelPage } from '../../../shared/channels.ts';
import { limits } from '../../../shared/limits.ts';
import type { Person, PersonCommentPage } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineCall } from '../../api/call.ts';
import { publicKeys } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';

const getPerson = defineCall<string, Person>('GET', apiRoutes.user);

const listPersonChannels = defineCall<string, ChannelPage>('GET', apiRoutes.userChannels);

const listPersonComments = defineCall<{ id: string; after: string | null }, PersonCommentPage>(
  'GET',
  ({ id, after }) =>
    withQuery(apiRoutes.userComments(id), { after, limit: limits.commentsPerPerson }),
);

/** A person and their newest channels. */
export const personQuery = (id: string) =>
  queryOptions({
    queryKey: publicKeys.person(id),
    queryFn: async ({ signal }) => {
      const [person, channels] = await Promise.all([
        request(getPerson, id, { signal }),
        request(listPersonChannels, id, { signal }),
      ]);
      return { person, channels: channels.data };
    },
    // No live stream reports that a decision hides a person.
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
  });

/** A person's comments, newest first, in pages that begin at a cursor; null for the first page. */
export const commentsQuery = (id: string, after: string | null) =>
  infiniteQueryOptions({
    queryKey: publicKeys.personComments(id, after),
    queryFn: ({ pageParam, signal }) =>
      request(listPersonComments, { id, after: pageParam }, { signal }),
    initialPageParam: after,
    getNextPageParam: ({ next }) => next,
    refetchOnWindowFocus: true,
  });
