import { useQueryClient } from '@tanstack/react-query';
import type { NotificationSettings } from '../../shared/notification-settings.ts';
import type { Follow } from '../../shared/notifications.ts';
import { accountKey } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { askAgain, callKey } from '../api/user-query.ts';
import { useUser } from '../state/store-provider.tsx';
import { CheckField } from '../ui/forms/check-field.tsx';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { useForm } from '../ui/forms/use-form.ts';
import { Loaded } from '../ui/loading/loaded.tsx';
import { showStatus } from '../ui/status/status-bar.tsx';
import styles from '../ui/styles/settings.module.css';
import { editNotificationSettings, getNotificationSettings } from './mail/mail-calls.ts';
import { useNotificationSettings } from './mail/mail-section.tsx';
import { SettingsSection } from './settings-section.tsx';

const title = 'Qué te avisamos';

const choices: Record<Follow, { label: string; hint: string }> = {
  all: {
    label: 'Todo lo que se escriba',
    hint: 'Un aviso por canal, hasta que lo mires.',
  },
  mine: {
    label: 'Los canales que siga, y lo que me escriban a mí',
    hint: 'Respuestas, menciones y gracias; lo demás, solo de los canales en los que pulses «Seguir».',
  },
};

/** The section for what a person is told of: channels for which it never chose, and new ones. */
export function FollowSection() {
  const query = useNotificationSettings();
  return (
    <SettingsSection
      id="seguir"
      title={title}
      intro="En los canales para los que no hayas elegido otra cosa, en las opciones de cada uno."
    >
      <Loaded query={query}>{(settings) => <FollowForm {...settings} />}</Loaded>
    </SettingsSection>
  );
}

function FollowForm({ follow, channels }: Pick<NotificationSettings, 'follow' | 'channels'>) {
  const queryClient = useQueryClient();
  const { id } = useUser();
  const form = useForm({
    send: (text) =>
      request(editNotificationSettings, {
        follow: text('follow') === '' ? null : (text('follow') as Follow),
        channels: text('channels') !== '',
      }),
    onSent: (saved) => {
      queryClient.setQueryData(callKey(id, getNotificationSettings), saved);
      void askAgain(queryClient, { queryKey: [...accountKey(id), 'news'] });
      showStatus({ text: 'Guardado' });
    },
  });
  const { chosen, community } = follow;
  const radio = (value: Follow | '', label: string, hint: string) => (
    <CheckField
      {...{ label, hint, value }}
      type="radio"
      name="follow"
      defaultChecked={value === (chosen ?? '')}
    />
  );
  return (
    <form {...form.props} className={`stack ${styles.form}`} aria-label={title}>
      <fieldset disabled={form.isBusy} className={`stack tight ${styles.choices}`}>
        <legend>Lo que se escribe</legend>
        {radio('', 'Como la comunidad', `Ahora: ${choices[community].label.toLowerCase()}.`)}
        {radio('all', choices.all.label, choices.all.hint)}
        {radio('mine', choices.mine.label, choices.mine.hint)}
      </fieldset>
      <fieldset disabled={form.isBusy} className={`stack tight ${styles.choices}`}>
        <legend>Canales nuevos</legend>
        <CheckField
          label="Avisarme de los canales nuevos"
          hint="Diez minutos después de que alguien abra uno; nunca al momento en tus aparatos."
          name="channels"
          value="1"
          defaultChecked={channels}
        />
      </fieldset>
      <FormEnd form={form} />
    </form>
  );
}
