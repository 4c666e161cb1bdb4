import type { Comment } from '../../../shared/comments.ts';
import { commentLink } from '../../../shared/routes.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { AutorLink, Avatar } from '../../ui/avatar.tsx';
import { listThanks } from '../change-comment-calls.ts';
import { readingTexts } from '../reading-texts.ts';
import { PagedList } from './paged-list.tsx';

/** The people who gave thanks for a comment, newest first. */
function Thanks({ comment: { channelId, number, thanks } }: { comment: Comment }) {
  const { id: userId } = useUser();
  return (
    <PagedList
      // Giving or withdrawing thanks refetches the list.
      queryKey={['thanks', channelId, number, thanks]}
      load={(after, options) => request(listThanks, { channelId, number, after }, options)}
      label="Quiénes han dado las gracias"
      href={commentLink(channelId, number)}
      moreLabel="Ver más personas"
    >
      {({ id, name, img }) => (
        <li key={id} className="row">
          <Avatar img={img} size={30} />
          <AutorLink
            className="plain tall"
            id={id}
            name={id === userId ? readingTexts.you : name}
          />
        </li>
      )}
    </PagedList>
  );
}

export const ThanksList = withQueries(Thanks);
