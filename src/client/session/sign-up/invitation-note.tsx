import { siteNameOf } from '../../../shared/site-name.ts';
import type { InvitedBy } from '../../../shared/site-settings.ts';
import { useSite } from '../../state/store-provider.tsx';
import { listTexts } from '../../ui/list-texts.ts';
import { Note } from '../../ui/notice.tsx';
import { texts } from '../../ui/texts.ts';
import type { OpenedInvitation } from './use-invitation.ts';

export const invitationNeededText =
  'Para crear una cuenta hace falta una invitación: abre el enlace que te haya pasado un miembro.';

/** Says that the code of a link lets nobody in. The server does not tell why. */
export const RefusedInvitation = () => (
  <Note>
    El enlace con el que vienes no está completo o ya no vale: ábrelo otra vez entero, o pide otro a
    quien te lo pasó.
  </Note>
);

/** Describes what a person wrote in a chat that moved in: '3 comentarios de Ana en Vecinos'. */
export const Words = ({ name, channel, comments }: NonNullable<InvitedBy['words']>) => (
  <>
    <span>{`${listTexts.commentCount(comments)} de `}</span>
    <bdi>{name}</bdi>
    <span> en </span>
    <bdi>{channel}</bdi>
  </>
);

/** Says who invites, to what, and who reads it. */
export function InvitationNote({ invitation }: { invitation: OpenedInvitation | null }) {
  const site = useSite();
  const { readers, registration } = site;
  const name = <bdi>{siteNameOf(site)}</bdi>;
  const whoReads = texts.whoReads[readers];
  if (!invitation) return <Note>{whoReads}</Note>;
  const { from, isRefused } = invitation;
  if (isRefused) return <RefusedInvitation />;
  if (from?.name === null) {
    return (
      <Note>
        <span>Con este enlace, la cuenta que crees administrará </span>
        {name}
        <span>{`. ${whoReads}`}</span>
      </Note>
    );
  }
  const admission =
    registration === 'request'
      ? 'Si es de alguien del equipo de moderación, entras en cuanto crees la cuenta; si no, antes la tienen que aprobar. '
      : '';
  return (
    <Note>
      {from ? (
        <span>
          <bdi>{from.name}</bdi>
          <span> te invita a </span>
          {name}
          <span>. </span>
        </span>
      ) : (
        <span>Te han invitado. </span>
      )}
      <span>{admission + whoReads}</span>
      {from?.words && (
        <span>
          {' Con tu cuenta recuperas '}
          <Words {...from.words} />
          <span>.</span>
        </span>
      )}
    </Note>
  );
}
