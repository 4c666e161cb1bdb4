import type { Comment } from '../../../shared/comments.ts';
import { commentLink } from '../../../shared/routes.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { listThanks } from '../change-comment-calls.ts';
import { PagedList } from './paged-list.tsx';
import { PersonItem } from './person-item.tsx';

/** The people who gave thanks for a comment, newest first. */
function Thanks({ comment: { channelId, number, thanks } }: { comment: Comment }) {
  return (
    <PagedList
      // Giving or withdrawing thanks refetches the list.
      queryKey={['thanks', channelId, number, thanks]}
      load={(after, options) => request(listThanks, { channelId, number, after }, options)}
      label="Quiénes han dado las gracias"
      href={commentLink(channelId, number)}
      moreLabel="Ver más personas"
    >
      {(person) => <PersonItem key={person.id} {...person} />}
    </PagedList>
  );
}

export const ThanksList = withQueries(Thanks);
