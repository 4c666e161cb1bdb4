import { useInfiniteQuery } from '@tanstack/react-query';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Attendee, EventDate } from '../../../shared/events.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { Link } from '../../router/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import styles from './attendees.module.css';
import { listAttendees } from './event-calls.ts';

interface AttendeesProps {
  comment: CommentKey;
  date: EventDate;
}

/** Lists the people who answered to a date: first those who come, in the order of their turns, then the others. */
export const Attendees = withQueries(AttendeeList);

function AttendeeList({ comment: { channelId, number }, date }: AttendeesProps) {
  const { id } = useUser();
  const { position, yes, waiting, maybe, no } = date;
  const query = useInfiniteQuery({
    // Other counts ask again.
    queryKey: [
      ...accountKey(id),
      ...['attendees', channelId, number, position],
      ...[yes, waiting, maybe, no],
    ],
    queryFn: ({ pageParam, signal }) =>
      request(listAttendees, { channelId, number, date: position, after: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          <ul className={styles.list}>
            {pages
              .flatMap(({ data }) => data)
              .map((person) => (
                <li key={person.id} className="row tight">
                  <Avatar img={person.img} size={30} />
                  <Link className="plain target" href={pageRoutes.user(person.id)}>
                    <bdi>{person.name}</bdi>
                  </Link>
                  <span className="note">{answerText(person)}</span>
                </li>
              ))}
          </ul>
          <Paged query={query} href={pageRoutes.channel(channelId)} label="Ver más" />
        </>
      )}
    </Loaded>
  );
}

function answerText({ answer, people, isWaiting }: Attendee): string {
  if (answer === 'maybe') return 'quizá';
  if (answer === 'no') return 'no va';
  const count = people > 1 ? ` (${people})` : '';
  return isWaiting ? `espera sitio${count}` : `va${count}`;
}
