import { apiRoutes } from '../../shared/api-routes.ts';
import type { ChannelPage } from '../../shared/channels.ts';
import { limits } from '../../shared/limits.ts';
import type { PersonContent } from '../../shared/page-data.ts';
import type { Person, PersonCommentPage } from '../../shared/people.ts';
import { withQuery } from '../../shared/routes.ts';
import { call, type Result } from '../api/api.ts';

/** A person with a page of their comments. */
export async function fetchPerson(
  id: string,
  after: string | null,
  signal: AbortSignal,
): Promise<Result<PersonContent>> {
  const [person, channels, comments] = await Promise.all([
    call<Person>(apiRoutes.user(id), { has: 'id', signal }),
    call<ChannelPage>(apiRoutes.userChannels(id), { has: 'data', signal }),
    fetchPersonComments(id, after, signal),
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

/** A page of a person's comments, newest first. */
export function fetchPersonComments(id: string, after: string | null, signal?: AbortSignal) {
  const url = withQuery(apiRoutes.userComments(id), { after, limit: limits.commentsPerPerson });
  return call<PersonCommentPage>(url, { has: 'data', signal });
}
