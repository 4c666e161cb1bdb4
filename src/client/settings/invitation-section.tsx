import { useId, useState } from 'react';
import { limits } from '../../shared/limits.ts';
import type { Invitation, MadeInvitation } from '../../shared/site-settings.ts';
import { serverNow } from '../api/call.ts';
import { request } from '../api/request.ts';
import { useUserQuery } from '../api/user-query.ts';
import { useQueryString } from '../router/navigation.tsx';
import { useSite } from '../state/store-provider.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { useForm } from '../ui/forms/use-form.ts';
import { Loaded } from '../ui/loading/loaded.tsx';
import lists from '../ui/styles/list.module.css';
import styles from '../ui/styles/settings.module.css';
import { dot } from '../ui/texts.ts';
import { shortDate } from '../ui/time/short-date.ts';
import { invitationsAnchor } from './invitation-url.ts';
import { Item } from './item.tsx';
import { leadingTo, Made } from './made-invitation.tsx';
import { invite, listInvitations, revokeInvitation } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';
import { useRemoval } from './use-removal.ts';

/** The account's invitations; not fetched while registration is closed. */
export function useInvitations() {
  const { registration } = useSite();
  return useUserQuery(listInvitations, undefined, { enabled: registration !== 'closed' });
}

/** The section where members invite others. Renders nothing while registration is closed. */
export function InvitationSection() {
  const remove = useRemoval(invitationsAnchor);
  const invitations = useInvitations();
  const [made, setMade] = useState<MadeInvitation | null>(null);
  /** The channel to which the invitation leads, when it is made from a channel's page. */
  const channelId = new URLSearchParams(useQueryString()).get('canal');
  const form = useForm({
    fields: ['uses', 'days'],
    send: (text) =>
      request(invite, { uses: Number(text('uses')), days: Number(text('days')) }).finally(() =>
        // Without a response, the invitation may have been created.
        invitations.refetch(),
      ),
    onSent: (invitation) => setMade(channelId ? leadingTo(channelId, invitation) : invitation),
    failedText: ({ text, isUnknown }) =>
      isUnknown
        ? `${text} Puede que la invitación se haya creado sin que te llegara su enlace. Si está en la lista, retírala y crea otra.`
        : text,
  });
  const revoke = ({ id }: Invitation) =>
    remove(
      () => request(revokeInvitation, id),
      'Invitación retirada',
      'No se pudo retirar la invitación.',
    );

  if (!invitations.isEnabled) return null;
  const isRevoked = invitations.data?.data.some((one) => one.id === made?.id && one.isRevoked);
  return (
    <SettingsSection
      id={invitationsAnchor}
      title="Invitaciones"
      intro={
        channelId
          ? 'Para que tu grupo entre directamente en el canal desde el que invitas.'
          : 'Para que entre gente que conoces.'
      }
    >
      <form {...form.props} className={`stack ${styles.form}`}>
        <TextField
          label="Para cuántas personas"
          hint={`De 1 a ${limits.invitationUses}.`}
          {...form.field('uses')}
          type="number"
          min={1}
          max={limits.invitationUses}
          defaultValue={limits.invitationUses}
          required
        />
        <TextField
          label="Cuántos días vale"
          hint={`De 1 a ${limits.longestInvitationDays}.`}
          {...form.field('days')}
          type="number"
          min={1}
          max={limits.longestInvitationDays}
          defaultValue={limits.invitationDays}
          required
        />
        <FormEnd form={form} label="Crear invitación" />
      </form>
      {made && !isRevoked && <Made key={made.id} {...made} />}
      <Loaded query={invitations}>
        {({ data }) =>
          data.length > 0 && (
            <ul className={`frame ${lists.list}`}>
              {data.map((one, index) => (
                <InvitationItem
                  key={one.id}
                  number={data.length - index}
                  invitation={one}
                  onRevoke={() => revoke(one)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </SettingsSection>
  );
}

interface InvitationProps {
  /** Distinguishes invitations of the same day. */
  number: number;
  invitation: Invitation;
  onRevoke: () => Promise<unknown>;
}

function InvitationItem({ number, invitation, onRevoke }: InvitationProps) {
  const { uses, used, endsAt, isRevoked } = invitation;
  const id = useId();
  const isEnded = Date.parse(endsAt) <= (serverNow() ?? 0);
  return (
    <Item
      label="Retirar"
      fullLabel={`Retirar la invitación ${number}`}
      aria-describedby={id}
      data-destroys
      run={!isRevoked && !isEnded && used < uses ? onRevoke : undefined}
    >
      <strong>{`Invitación ${number}`}</strong>
      <br />
      <span id={id} className="note">
        {`${used} de ${uses} ${uses === 1 ? 'uso' : 'usos'}${dot}${isRevoked ? 'retirada' : `${isEnded ? 'caducó' : 'caduca'} el ${shortDate(endsAt)}`}`}
      </span>
    </Item>
  );
}
