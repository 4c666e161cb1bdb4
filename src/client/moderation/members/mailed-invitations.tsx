import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { limits } from '../../../shared/limits.ts';
import type {
  MailedInvitations as Invited,
  Invitees,
  MailedInvitation,
  MailedInvitationPage,
} from '../../../shared/mailed-invitations.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { useSite, useUser } from '../../state/store-provider.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import { Time } from '../../ui/time/time.tsx';
import styles from './mailed-invitations.module.css';
import { type Invitee, parseInvitees } from './parse-invitees.ts';

const listInvited = defineUserCall<{ after: string | null }, MailedInvitationPage>(
  'GET',
  ({ after }) => withQuery(apiRoutes.mailedInvitations, { after }),
);
const invite = defineUserCall<Invitees, Invited>('POST', () => apiRoutes.mailedInvitations, {
  body: (invitees) => invitees,
});
const inviteAgain = defineUserCall<string, null>('POST', apiRoutes.mailedInvitationAgain);

/** Addresses in one list. */
const mostPasted = 500;
/** Lines without an address that are shown. */
const mostStrange = 3;

const peopleText = (count: number) => (count === 1 ? '1 persona' : `${numberText(count)} personas`);

/** The form with which moderators invite people by mail, and who of them has come. */
export function MailedInvitations() {
  const { hasMail, registration } = useSite();
  const [isOpen, setOpen] = useState(false);
  if (!hasMail || registration === 'closed') return null;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="target">Invitar por correo a una lista</summary>
      {isOpen && <List />}
    </details>
  );
}

function List() {
  const { id } = useUser();
  const queryClient = useQueryClient();
  const queryKey = [...accountKey(id), 'mailed-invitations'];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: after, signal }) => request(listInvited, { after }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const refetch = () => queryClient.invalidateQueries({ queryKey });
  return (
    <div className="stack">
      <InviteesForm left={query.data?.pages[0]?.left} refetch={refetch} />
      <Loaded query={query}>
        {({ pages }) => {
          const { invited = 0, joined = 0 } = pages[0] ?? {};
          if (invited === 0) return null;
          return (
            <>
              <p>
                {`${numberText(joined)} de ${numberText(invited)} ${joined === 1 ? 'ha' : 'han'} entrado.`}
              </p>
              <ul className={`stack tight ${styles.list}`}>
                {pages
                  .flatMap(({ data }) => data)
                  .map((one) => (
                    <InvitationLine key={one.id} invitation={one} refetch={refetch} />
                  ))}
              </ul>
              <Paged query={query} href={pageRoutes.members} label="Ver más invitaciones" />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

interface InviteesFormProps {
  /** How many more people can be invited today; undefined until the server has said so. */
  left: number | undefined;
  refetch: () => Promise<void>;
}

function InviteesForm({ left, refetch }: InviteesFormProps) {
  const [text, setText] = useState('');
  const { invitees, repeated, strange } = parseInvitees(text);
  const isTooLong = invitees.length > mostPasted;
  const send = async () => {
    const rest = [...invitees];
    let members = 0;
    const isDone = await withStatus('No se pudo invitar a todos.', async () => {
      while (rest.length > 0) {
        const part = rest.slice(0, limits.invitedAtOnce);
        const { data } = await request(invite, { invitees: part });
        members += data.filter(({ state }) => state === 'member' || state === 'joined').length;
        rest.splice(0, part.length);
      }
    });
    // Addresses that were not sent stay in the field.
    setText(rest.map(lineOf).join('\n'));
    await refetch();
    if (isDone) showStatus({ text: invitedText(invitees.length, members) });
  };
  return (
    <>
      <TextAreaField
        label="Direcciones"
        hint="Pégalas como las tengas, con nombres o sin ellos: de una hoja de cálculo, del «Para:» de un correo, una por línea."
        rows={6}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div role="status" className="stack tight">
        {(invitees.length > 0 || strange.length > 0) && (
          <p>
            <span>{`Se entiende: ${peopleText(invitees.length)}.`}</span>{' '}
            {repeated > 0 && <span>{`Repetidas: ${numberText(repeated)}.`}</span>}{' '}
            {strange.length > 0 && (
              <span>{`Líneas sin dirección: ${numberText(strange.length)} (${strange
                .slice(0, mostStrange)
                .map((line) => `«${line.slice(0, 40)}»`)
                .join(', ')}${strange.length > mostStrange ? '…' : ''}).`}</span>
            )}
          </p>
        )}
        {isTooLong && <p>{`Como mucho, ${mostPasted} de una vez: quita algunas.`}</p>}
      </div>
      {invitees.length > 0 && !isTooLong && (
        <>
          <ul className={`stack tight ${styles.list}`} aria-label="Lo que se entiende">
            {invitees.map(({ email, name }) => (
              <li key={email}>
                {name && <bdi>{name}</bdi>} <bdi className="note">{email}</bdi>
              </li>
            ))}
          </ul>
          <p className="note">
            <span>{`A cada una le llega un correo con un enlace para ella, que sirve ${limits.longestInvitationDays} días. A quien ya es miembro no se le envía nada.`}</span>{' '}
            {left !== undefined && <span>{`Hoy se puede invitar a ${peopleText(left)} más.`}</span>}
          </p>
          <div>
            <ActionButton run={send}>{`Invitar a ${peopleText(invitees.length)}`}</ActionButton>
          </div>
        </>
      )}
    </>
  );
}

const lineOf = ({ email, name }: Invitee) => (name ? `${name} <${email}>` : email);

function invitedText(count: number, members: number): string {
  const invited = `Se ha invitado a ${peopleText(count - members)}.`;
  if (members === 0) return invited;
  return `${invited} ${members === 1 ? '1 ya es miembro.' : `${numberText(members)} ya son miembros.`}`;
}

const stateTexts = {
  waiting: 'Se está enviando.',
  unsent: 'No se pudo enviar.',
  sent: 'Enviada',
  joined: 'Ha entrado.',
  refused: 'Su servidor rechaza la dirección.',
  member: 'Ya es miembro.',
};

interface InvitationLineProps {
  invitation: MailedInvitation;
  refetch: () => Promise<void>;
}

function InvitationLine({
  invitation: { id, email, name, state, sentAt, mayRepeat },
  refetch,
}: InvitationLineProps) {
  const unsent = mayRepeat ? 'unsent' : 'waiting';
  const shownState = state !== 'waiting' ? state : sentAt ? 'sent' : unsent;
  const repeat = () =>
    withStatus('No se pudo enviar otra vez.', async () => {
      await request(inviteAgain, id ?? '');
      await refetch();
      return { text: 'Se le envía otra vez.' };
    });
  return (
    <li className="row tight">
      {name && <bdi>{name}</bdi>} <bdi className="note">{email}</bdi>
      <span className="note">
        <span>{stateTexts[shownState]}</span>{' '}
        {state === 'waiting' && sentAt && <Time iso={sentAt} />}
      </span>
      {mayRepeat && <ActionButton run={repeat}>Enviar otra vez</ActionButton>}
    </li>
  );
}
