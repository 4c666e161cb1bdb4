import type { CommentKey } from '../../../shared/comment-id.ts';
import type { CommentPoll, PollResult } from '../../../shared/polls.ts';
import { commentLink } from '../../../shared/routes.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { PagedList } from '../item/paged-list.tsx';
import { PersonItem } from '../item/person-item.tsx';
import { listVoters } from './poll-calls.ts';

interface VotersProps {
  comment: CommentKey;
  poll: CommentPoll;
  result: PollResult;
}

/** Lists the people who voted for each option. */
export const Voters = withQueries(VoterLists);

function VoterLists({ comment: { channelId, number }, poll, result }: VotersProps) {
  const { id: userId } = useUser();
  const chosen = poll.options.filter((_, index) => result.votes[index] !== 0);
  return (
    <div className="stack tight">
      {chosen.map(({ position, text }) => (
        <div key={position}>
          <p>
            <strong>
              <bdi>{text}</bdi>
            </strong>
          </p>
          <PagedList
            // Other counts ask again.
            queryKey={[...accountKey(userId), 'voters', channelId, number, position, result]}
            load={(after, options) =>
              request(listVoters, { channelId, number, option: position, after }, options)
            }
            label={`Quiénes han votado: ${text}`}
            href={commentLink(channelId, number)}
            moreLabel="Ver más personas"
          >
            {(person) => <PersonItem key={person.id} {...person} />}
          </PagedList>
        </div>
      ))}
    </div>
  );
}
