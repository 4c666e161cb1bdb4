import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type {
  ImportedPerson,
  NewPersonLink,
  ImportedPeople as People,
  PersonLink,
} from '../../../shared/imported-people.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { shownAddress } from '../../dom/shown-address.ts';
import { useUser } from '../../state/store-provider.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { listTexts } from '../../ui/list-texts.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import { copyText } from '../../ui/status/copy-text.ts';
import { share } from '../../ui/status/share.ts';
import { withStatus } from '../../ui/status/with-status.ts';
import lists from '../../ui/styles/list.module.css';
import { dot, texts } from '../../ui/texts.ts';
import { shortDate } from '../../ui/time/short-date.ts';

interface Place {
  channelId: string;
  id: string;
}

const listPeople = defineUserCall<{ channelId: string; after: string | null }, People>(
  'GET',
  ({ channelId, after }) => withQuery(apiRoutes.importedPeople(channelId), { after }),
);
const makeLink = defineUserCall<Place & NewPersonLink, PersonLink>(
  'POST',
  ({ channelId, id }) => apiRoutes.importedPersonLink(channelId, id),
  { body: ({ kind }) => ({ kind }) },
);
const takeBack = defineUserCall<Place, null>('DELETE', ({ channelId, id }) =>
  apiRoutes.importedPersonClaim(channelId, id),
);

interface ImportedPeopleProps {
  /** The channel that a chat became. */
  channelId: string;
}

/** The people of a chat that moved in, with the links that each of them can be given. */
export function ImportedPeople({ channelId }: ImportedPeopleProps) {
  const { id } = useUser();
  const queryClient = useQueryClient();
  const queryKey = [...accountKey(id), 'imported-people', channelId];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: after, signal }) =>
      request(listPeople, { channelId, after }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          <ul className={`frame ${lists.list}`} aria-label="Quienes escribieron en el grupo">
            {pages
              .flatMap(({ data }) => data)
              .map((person) => (
                <PersonLine
                  key={person.id}
                  person={person}
                  channelId={channelId}
                  refetch={() => queryClient.invalidateQueries({ queryKey })}
                />
              ))}
          </ul>
          <Paged query={query} href={pageRoutes.channel(channelId)} label="Ver más personas" />
        </>
      )}
    </Loaded>
  );
}

interface PersonLineProps extends ImportedPeopleProps {
  person: ImportedPerson;
  refetch: () => Promise<void>;
}

function PersonLine({ person, channelId, refetch }: PersonLineProps) {
  const { id, name, state, claimedBy, until } = person;
  const [message, setMessage] = useState('');
  const give = (kind: NewPersonLink['kind']) =>
    withStatus('No se pudo crear el enlace.', async () => {
      const { url } = await request(makeLink, { channelId, id, kind });
      setMessage(linkTexts[kind](name, shownAddress(url)));
    });
  const giveBack = () =>
    withStatus('No se pudieron devolver.', async () => {
      await request(takeBack, { channelId, id });
      await refetch();
      return { text: 'Devueltos: en menos de un minuto son otra vez del grupo de antes.' };
    });
  return (
    <li tabIndex={-1} className={`row ${lists.item}`}>
      <div className={lists.what}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <br />
        <span className="note">
          <span>{listTexts.commentCount(person.comments)}</span>
          {claimedBy && (
            <>
              <span>{`${dot}${person.comments === 1 ? 'es' : 'son'} de `}</span>
              <bdi>{claimedBy.name}</bdi>
            </>
          )}
          {state === 'leaving' && (
            <span>{`${dot}${person.comments === 1 ? 'se retira' : 'se retiran'} el ${shortDate(until ?? '')}`}</span>
          )}
        </span>
      </div>
      {state === 'open' && (
        <>
          <ActionButton aria-label={`Enlace para recuperar: ${name}`} run={() => give('claim')}>
            Enlace para recuperar
          </ActionButton>
          <ActionButton aria-label={`Enlace para retirar: ${name}`} run={() => give('withdraw')}>
            Enlace para retirar
          </ActionButton>
        </>
      )}
      {state === 'claimed' && (
        <ActionButton aria-label={`Devolver los mensajes de ${name}`} run={giveBack}>
          Devolver
        </ActionButton>
      )}
      {message && <MadeLink message={message} />}
    </li>
  );
}

const linkTexts = {
  claim: (name: string, url: string) => `${name}, esto lo escribiste tú: ${url}`,
  withdraw: (name: string, url: string) =>
    `${name}, con este enlace puedes retirar lo que escribiste: ${url}`,
};

/** A message with a new link, which the server sends only once. */
const MadeLink = ({ message }: { message: string }) => (
  <div className="stack tight">
    <TextField
      label="Mensaje con el enlace"
      hint="Solo se ve ahora, y vale para quien lo abra: envíaselo solo a esa persona. El anterior ya no vale."
      value={message}
      readOnly
    />
    <p>
      <ActionButton run={() => share({ text: message }, () => copyText(message))}>
        {texts.share}
      </ActionButton>
    </p>
  </div>
);
