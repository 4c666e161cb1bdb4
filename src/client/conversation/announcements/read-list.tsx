import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { Acknowledgements } from '../../../shared/announcements.ts';
import type { Comment } from '../../../shared/comments.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { saveFile } from '../../dom/save-file.ts';
import { fullTime } from '../../dom/time-words.ts';
import { Link } from '../../router/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import { Time } from '../../ui/time/time.tsx';
import { listAcknowledgements, remind } from './announcement-calls.ts';
import { csvOf } from './csv.ts';
import styles from './read-list.module.css';

/** Who of the present members has acknowledged an announcement, for moderators, who can remind the others once. */
export const ReadList = withQueries(ReadListContent);

function ReadListContent({ comment: { channelId, number } }: { comment: Comment }) {
  const { id } = useUser();
  const queryClient = useQueryClient();
  const queryKey = [...accountKey(id), 'acknowledgements', channelId, number];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: after, signal }) =>
      request(listAcknowledgements, { channelId, number, after }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const sendReminder = () =>
    withStatus('No se pudo recordar.', async () => {
      await request(remind, { channelId, number });
      await queryClient.invalidateQueries({ queryKey });
      showStatus({ text: 'Se recuerda a quienes no han dicho que lo han leído.' });
    });
  const saveCsv = () =>
    withStatus('No se pudo guardar la lista.', async () => {
      const rows = [['Nombre', 'Leído']];
      let after: string | null = null;
      do {
        const page: Acknowledgements = await request(listAcknowledgements, {
          channelId,
          number,
          after,
        });
        for (const { name, acknowledgedAt } of page.data)
          rows.push([name, acknowledgedAt ? fullTime(acknowledgedAt) : '']);
        after = page.next;
      } while (after !== null);
      saveFile(new Blob([csvOf(rows)], { type: 'text/csv' }), `comunicado-${number}.csv`);
    });
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const [first] = pages;
        if (!first) return null;
        const { acknowledged, members, remindedAt, mayRemind } = first;
        return (
          <>
            <p className="note">
              <span>{`Lo han leído ${numberText(acknowledged)} de ${numberText(members)}.`}</span>
              {remindedAt && (
                <>
                  {' '}
                  <span>Se recordó</span> <Time iso={remindedAt} />
                </>
              )}
            </p>
            <div className="row">
              {mayRemind && acknowledged < members && (
                <ActionButton run={sendReminder}>Recordarlo a los demás</ActionButton>
              )}
              <ActionButton run={saveCsv}>Guardar la lista (CSV)</ActionButton>
            </div>
            <ul className={styles.list}>
              {pages
                .flatMap(({ data }) => data)
                .map((person) => (
                  <li key={person.id} className="row tight">
                    <Link className="plain target" href={pageRoutes.user(person.id)}>
                      <bdi>{person.name}</bdi>
                    </Link>
                    <span className="note">{person.acknowledgedAt ? 'leído' : 'sin leer'}</span>
                  </li>
                ))}
            </ul>
            <Paged query={query} href={pageRoutes.channel(channelId)} label="Ver más" />
          </>
        );
      }}
    </Loaded>
  );
}
