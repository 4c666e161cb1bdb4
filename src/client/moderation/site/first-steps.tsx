import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '../../../shared/limits.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import type { MadeInvitation, Registration, SavedSettings } from '../../../shared/site-settings.ts';
import { request } from '../../api/request.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { listChannels } from '../../conversation/channel-calls.ts';
import { Link } from '../../router/navigation.tsx';
import { getProfile } from '../../session/account-calls.ts';
import { invitationsAnchor } from '../../settings/invitation-url.ts';
import { leadingTo, Made } from '../../settings/made-invitation.tsx';
import { invite } from '../../settings/settings-calls.ts';
import { useAppState, useSite, useUser } from '../../state/store-provider.tsx';
import { localStore } from '../../storage/browser-storage.ts';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { focusTitle } from '../../ui/page-title.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';
import lists from '../../ui/styles/list.module.css';
import settings from '../../ui/styles/settings.module.css';
import { firstChannelUrl } from './first-channel-url.ts';
import styles from './first-steps.module.css';
import { getSettings } from './site-settings-calls.ts';

/** The steps in their order, with the page where each is done, or undefined where it is done elsewhere. */
const steps = {
  name: { text: 'Ponle nombre', doneText: 'Nombre puesto', href: settingUrl('name') },
  readers: {
    text: 'Decide quién lee y de qué se avisa',
    doneText: 'Decidido quién lee y de qué se avisa',
    href: settingUrl('readers'),
  },
  registration: {
    text: 'Decide quién puede entrar',
    doneText: 'Decidido quién puede entrar',
    href: settingUrl('registration'),
  },
  zone: {
    text: 'Di cuál es vuestra zona horaria',
    doneText: 'Zona horaria puesta',
    href: settingUrl('zone'),
  },
  rules: {
    text: 'Revisa las normas de ejemplo',
    doneText: 'Normas revisadas',
    href: settingUrl('rules'),
  },
  contact: { text: 'Pon un contacto', doneText: 'Contacto puesto', href: settingUrl('contact') },
  channel: { text: 'Crea el primer canal', doneText: 'Primer canal creado', href: firstChannelUrl },
  invitation: { text: 'Invita a tu grupo', doneText: 'Grupo invitado', href: undefined },
  moderator: {
    text: 'Elige a alguien que te ayude a moderar',
    doneText: 'Ya hay quien te ayuda a moderar',
    href: pageRoutes.members,
  },
  admin: {
    text: 'Busca a otra persona que administre, por si un día faltas',
    // Until one person has administered alone for a month, this is no step.
    doneText: '',
    href: pageRoutes.members,
  },
  email: {
    text: 'Confirma tu correo',
    doneText: 'Tu correo confirmado',
    href: `${pageRoutes.settings}#correo`,
  },
  backup: {
    text: 'Copias de seguridad: el servidor no las hace. Se piden en su configuración, con BACKUP_KEEP.',
    doneText: 'Copias de seguridad en marcha',
    href: undefined,
  },
  mail: {
    text: 'Correo: el servidor no lo envía. Se configura en él, con SMTP_URL y MAIL_FROM.',
    doneText: 'Correo en marcha',
    href: undefined,
  },
} as const;
type Step = keyof typeof steps;
const stepNames = Object.keys(steps) as Step[];

function settingUrl(name: string): string {
  return `${pageRoutes.siteSettings}#${name}`;
}

/** Id of a channel of the forum, null without one. Fetched each time the page is opened. */
export const useFirstChannel = () =>
  useQuery({
    queryKey: ['first channel'],
    queryFn: async ({ signal }) => {
      const page = { order: 'new', after: null, limit: 1 } as const;
      return (await request(listChannels, page, { signal })).data[0]?._id ?? null;
    },
    gcTime: 0,
  });

interface FirstStepsProps {
  saved: SavedSettings;
  channelId: string | null;
}

const dismissedKey = (userId: string) => `${userId} first steps closed`;
const isDismissedBy = (userId: string) => localStore.get(dismissedKey(userId)) !== null;

/** First tasks for an admin, on the home page. */
export function FirstStepsOnHome() {
  const channelId = useAppState(({ list }) => list?.ids[0] ?? null);
  const { id } = useUser();
  const { data: saved } = useUserQuery(getSettings, undefined, {
    enabled: !isDismissedBy(id),
    isBackground: true,
  });
  return saved && <FirstSteps {...{ saved, channelId }} />;
}

/** First tasks for an admin, until all are done or the list is dismissed in this browser. */
export function FirstSteps({ saved, channelId }: FirstStepsProps) {
  const { id } = useUser();
  const { registration, hasMail } = useSite();
  const [isDismissed, setDismissed] = useState(() => isDismissedBy(id));
  const { data: profile } = useUserQuery(getProfile, undefined, {
    enabled: hasMail && !isDismissed,
    isBackground: true,
  });
  /** An invitation made here, whose link is shown only this once. */
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const isDone = whatIsDone(saved, channelId, profile?.emailConfirmed);
  // An address can be anything, so it may be none.
  const canConfirm = hasMail && profile?.email.includes('@') === true;
  const shown = shownSteps(registration).filter(
    (step) => (step !== 'email' || canConfirm) && (step !== 'admin' || !isDone.admin),
  );
  const done = shown.filter((step) => isDone[step] && !(step === 'invitation' && made));
  const toDo = shown.filter((step) => !done.includes(step));
  if (isDismissed || toDo.length === 0) return null;
  const close = () => {
    localStore.set(dismissedKey(id), '');
    setDismissed(true);
    focusTitle();
  };
  return (
    <section className={`stack ${settings.section} ${styles.steps}`} aria-labelledby="para-empezar">
      <h2 id="para-empezar">Para empezar</h2>
      <ol className={`frame ${lists.list}`}>
        {toDo.map((step) => (
          <li key={step} className={styles.step}>
            {step === 'invitation' ? (
              <Invite made={made} onMade={setMade} channelId={channelId} />
            ) : (
              <StepText step={step} />
            )}
          </li>
        ))}
      </ol>
      {done.length > 0 && (
        <details>
          <summary>{done.length === 1 ? '1 hecho' : `${done.length} hechos`}</summary>
          <ul>
            {done.map((step) => (
              <li key={step} className={styles.step}>
                {`✓ ${steps[step].doneText}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      <button type="button" className={buttons.quiet} onClick={close}>
        Cerrar esta lista
      </button>
    </section>
  );
}

/** A setting is done once it was saved, even as it was from the start. */
function whatIsDone(
  { decided, fixed, done }: SavedSettings,
  channelId: string | null,
  isEmailConfirmed = true,
): Record<Step, boolean> {
  const isDecided = (name: (typeof decided)[number]) => decided.includes(name);
  return {
    name: isDecided('name'),
    readers: isDecided('readers') && isDecided('follow'),
    registration: isDecided('registration'),
    zone: isDecided('zone'),
    rules: isDecided('rules'),
    contact: isDecided('contact') || fixed.includes('contact'),
    channel: channelId !== null,
    invitation: done?.invitation ?? false,
    moderator: done?.moderator ?? false,
    admin: !done?.isOneAdminAlone,
    email: isEmailConfirmed,
    backup: done?.backup ?? false,
    mail: done?.mail ?? false,
  };
}

/** Nobody can be invited while registration is closed. */
const shownSteps = (registration: Registration) =>
  stepNames.filter((step) => step !== 'invitation' || registration !== 'closed');

/**
 * The first step that is not done and is done on a page, for the message after the settings were saved; undefined once
 * the list of steps is dismissed or there is none.
 */
export function nextStep(
  { saved, channelId }: FirstStepsProps,
  userId: string,
): { label: string; href: string } | undefined {
  if (isDismissedBy(userId)) return undefined;
  const isDone = whatIsDone(saved, channelId);
  for (const step of shownSteps(saved.registration)) {
    const { text } = steps[step];
    const href =
      step === 'invitation' ? `${pageRoutes.settings}#${invitationsAnchor}` : steps[step].href;
    if (href && !isDone[step])
      return { label: `Siguiente: ${text.charAt(0).toLowerCase()}${text.slice(1)}`, href };
  }
  return undefined;
}

function StepText({ step }: { step: Step }) {
  const { text, href } = steps[step];
  if (href === undefined) return <span className="target">{text}</span>;
  return (
    <Link className="target" href={href}>
      {text}
    </Link>
  );
}

interface InviteProps {
  made: MadeInvitation | null;
  onMade: (invitation: MadeInvitation) => void;
  channelId: string | null;
}

/** Makes an invitation for a group, which leads to a channel if there is one. */
function Invite({ made, onMade, channelId }: InviteProps) {
  const group = { uses: limits.invitationUses, days: limits.invitationDays };
  const make = () =>
    withStatus('No se pudo crear la invitación.', async () => {
      const invitation = await request(invite, group);
      onMade(channelId ? leadingTo(channelId, invitation) : invitation);
    });
  if (made) return <Made {...made} />;
  return (
    <>
      <ActionButton className={`target ${styles.action}`} run={make}>
        {steps.invitation.text}
      </ActionButton>
      <p className="note">{`Un enlace para ${group.uses} personas, que vale ${group.days} días.`}</p>
    </>
  );
}
