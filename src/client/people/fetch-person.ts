import { apiRoutes } from '../../shared/api-routes.ts';
import type { ChannelPage } from '../../shared/channels.ts';
import { limits } from '../../shared/limits.ts';
import type { PersonContent } from '../../shared/page-data.ts';
import type { Person, PersonCommentPage } from '../../shared/people.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall } from '../api/call.ts';
import type { Result } from '../api/failures.ts';
import { request } from '../api/request.ts';

const getPerson = defineCall<string, Person>('GET', apiRoutes.user, { has: 'id' });

const listChannels = defineCall<string, ChannelPage>('GET', apiRoutes.userChannels, {
  has: 'data',
});

/** A page of a person's comments, newest first. */
const listCommentsOf = defineCall<{ id: string; after: string | null }, PersonCommentPage>(
  'GET',
  ({ id, after }) =>
    withQuery(apiRoutes.userComments(id), { after, limit: limits.commentsPerPerson }),
  { has: 'data' },
);

/** A person with a page of their comments. */
export async function fetchPerson(
  id: string,
  after: string | null,
  signal: AbortSignal,
): Promise<Result<PersonContent>> {
  const [person, channels, comments] = await Promise.all([
    request(getPerson, id, { signal }),
    request(listChannels, id, { signal }),
    request(listCommentsOf, { id, after }, { signal }),
  ]);
  if (!person.ok) return person;
  if (!channels.ok) return channels;
  if (!comments.ok) return comments;
  const { data, next } = comments.value;
  return {
    ok: true,
    value: {
      person: person.value,
      channels: channels.value.data,
      comments: data,
      next,
      isFirstPage: after === null,
    },
  };
}

export const fetchPersonComments = (id: string, after: string | null) =>
  request(listCommentsOf, { id, after });
