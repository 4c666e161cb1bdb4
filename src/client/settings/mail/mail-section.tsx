import { useQueryClient } from '@tanstack/react-query';
import type {
  Every,
  ModerationMails,
  NotificationSettings,
} from '../../../shared/notification-settings.ts';
import { request } from '../../api/request.ts';
import { callKey, useUserQuery } from '../../api/user-query.ts';
import { deviceZone, inZone } from '../../dom/device-zone.ts';
import { useAppState, useSite, useUser } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { EmailText } from '../../ui/email-text.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import notices from '../../ui/notice.module.css';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import styles from '../../ui/styles/settings.module.css';
import { SettingsSection } from '../settings-section.tsx';
import {
  editNotificationSettings,
  getNotificationSettings,
  sendConfirmation,
} from './mail-calls.ts';

export function useNotificationSettings() {
  return useUserQuery(getNotificationSettings);
}

type Mail = NonNullable<NotificationSettings['email']> & Pick<NotificationSettings, 'moderation'>;

/** The section for notifications by e-mail, if the site sends mail. */
export function MailSection() {
  const { hasMail } = useSite();
  const query = useNotificationSettings();
  if (!hasMail || query.data?.email === null) return null;
  return (
    <SettingsSection
      id="correo"
      title="Avisos por correo"
      intro="Los avisos que no hayas visto antes en el foro: lo elegido en «De qué te avisamos» y lo que decida el equipo de moderación sobre lo tuyo. Los mensajes llevan un enlace para no recibir más."
    >
      <Loaded query={query}>
        {({ email, moderation }) => email && <Mailbox {...email} moderation={moderation} />}
      </Loaded>
    </SettingsSection>
  );
}

function Mailbox({ confirmed, problem, moderation, ...news }: Mail) {
  const { email } = useUser();
  const address = (
    <bdi>
      <EmailText email={email} />
    </bdi>
  );
  return (
    <>
      {problem === 'refused' && (
        <p className={notices.alert}>
          <span>La dirección</span> {address}{' '}
          <span>
            está mal escrita, o su servidor dice que no existe. Corrígela en «Cuenta» o, si está
            bien,{' '}
          </span>
          <span>
            {confirmed
              ? 'guarda otra vez cada cuánto la usamos; si no, probamos una vez por semana.'
              : 'pide otro enlace.'}
          </span>
        </p>
      )}
      {problem === 'given_up' && (
        <p className={notices.alert}>
          <span>El servidor de</span> {address}{' '}
          <span>
            no ha admitido nuestros últimos mensajes, quizá porque el buzón está lleno. Hasta que
            admita uno, probamos una vez por semana, o en cuanto guardes otra vez cada cuánto te
            escribimos.
          </span>
        </p>
      )}
      {!confirmed && problem !== 'refused' && (
        <p>
          <span>La dirección</span> {address}{' '}
          <span>está sin confirmar: no recibe avisos ni sirve para recuperar el acceso.</span>{' '}
          <span>
            {problem
              ? 'Ahora no hay ningún enlace con el que confirmarla: pídelo.'
              : 'Confírmala con el enlace que te hemos enviado.'}
          </span>
        </p>
      )}
      {!confirmed && (
        <SendLink label={problem === 'no_link' ? 'Enviar el enlace' : 'Reenviar el enlace'} />
      )}
      {confirmed && <EveryForm {...news} moderation={moderation} />}
    </>
  );
}

function SendLink({ label }: { label: string }) {
  const queryClient = useQueryClient();
  const { id, email } = useUser();
  const send = () =>
    withStatus('No se pudo enviar el enlace.', async () => {
      await request(sendConfirmation);
      await queryClient.invalidateQueries({ queryKey: callKey(id, getNotificationSettings) });
      return { text: `Enviado a ${email}. ${accountTexts.mailMissing}` };
    });
  return <ActionButton run={send}>{label}</ActionButton>;
}

const choices: { value: Every; label: string; hint: (zone: string) => string }[] = [
  { value: 'never', label: 'Nunca', hint: () => 'Solo los verás aquí, en el foro.' },
  {
    value: 'hour',
    label: 'En la próxima hora',
    hint: () => 'Un poco después; como mucho, un mensaje por hora.',
  },
  {
    value: 'day',
    label: 'Cada día',
    hint: (zone) => `Todos juntos, a las 8 de la mañana, ${inZone(zone)}.`,
  },
  {
    value: 'week',
    label: 'Cada semana',
    hint: (zone) => `Todos juntos, los lunes a las 8 de la mañana, ${inZone(zone)}.`,
  },
];

const moderationChoices: { value: ModerationMails; label: string; hint: string }[] = [
  { value: 'never', label: 'Nunca', hint: 'Solo lo verás aquí, en el foro.' },
  {
    value: 'hour',
    label: 'Si espera más de una hora',
    hint: 'Como mucho, un mensaje por hora.',
  },
];

function EveryForm({ every, zone, moderation }: Pick<Mail, 'every' | 'zone' | 'moderation'>) {
  const isStaff = useAppState((state) => state.role !== 'member');
  const queryClient = useQueryClient();
  const { id } = useUser();
  const here = deviceZone();
  const form = useForm({
    send: (text) => {
      const chosen = text('every') as Every;
      return request(editNotificationSettings, {
        // The zone changes only with the rhythm itself.
        email: { every: chosen, ...(chosen !== every && { zone: here }) },
        ...(isStaff && { moderation: text('moderation') as ModerationMails }),
      });
    },
    onSent: (saved) => {
      queryClient.setQueryData(callKey(id, getNotificationSettings), saved);
      showStatus({ text: 'Guardado' });
    },
  });
  return (
    <form {...form.props} className={`stack ${styles.form}`} aria-label="Avisos por correo">
      <fieldset disabled={form.isBusy} className={`stack tight ${styles.choices}`}>
        <legend>Cada cuánto</legend>
        {choices.map((choice) => (
          <CheckField
            key={choice.value}
            {...choice}
            hint={choice.hint(choice.value === every ? zone : here)}
            type="radio"
            name="every"
            defaultChecked={choice.value === every}
          />
        ))}
      </fieldset>
      {isStaff && (
        <fieldset disabled={form.isBusy} className={`stack tight ${styles.choices}`}>
          <legend>Lo que espera a quien modera</legend>
          {moderationChoices.map((choice) => (
            <CheckField
              key={choice.value}
              {...choice}
              type="radio"
              name="moderation"
              defaultChecked={choice.value === moderation}
            />
          ))}
        </fieldset>
      )}
      <FormEnd form={form} />
    </form>
  );
}
