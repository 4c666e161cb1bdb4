import { useQueryClient } from '@tanstack/react-query';
import type { Important, NotificationSettings } from '../../shared/notification-settings.ts';
import type { Follow } from '../../shared/notifications.ts';
import { newsKey } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { callKey, refetchNow } from '../api/user-query.ts';
import { useSite, useUser } from '../state/store-provider.tsx';
import { CheckField } from '../ui/forms/check-field.tsx';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { useForm } from '../ui/forms/use-form.ts';
import { Loaded } from '../ui/loading/loaded.tsx';
import { showStatus } from '../ui/status/status-bar.tsx';
import styles from '../ui/styles/settings.module.css';
import { editNotificationSettings, getNotificationSettings } from './mail/mail-calls.ts';
import { useNotificationSettings } from './mail/mail-section.tsx';
import { SettingsSection } from './settings-section.tsx';

const title = 'De qué te avisamos';

const choices: Record<Follow, { label: string; hint: string; now: string }> = {
  all: {
    label: 'Avisarme de todo',
    hint: 'Cada canal avisa una vez, hasta que lo miras.',
    now: 'Ahora: avisar de todo.',
  },
  mine: {
    label: 'Avisarme de lo mío y lo que sigo',
    hint: 'Lo tuyo: respuestas, menciones y gracias. Lo que sigues: los canales donde pulsas «Seguir».',
    now: 'Ahora: avisar de lo tuyo y de lo que sigues.',
  },
};

const importantChoices: Record<Important, { label: string; hint: string }> = {
  now: { label: 'Al momento', hint: 'Por correo y en tus dispositivos, si los recibes ahí.' },
  digest: { label: 'Con los demás avisos', hint: 'Cuando lleguen los otros.' },
  never: { label: 'Nunca', hint: 'Solo los verás aquí, en el foro.' },
};

/** The section for what a person is told of: channels for which it never chose, and new ones. */
export function FollowSection() {
  const query = useNotificationSettings();
  return (
    <SettingsSection
      id="seguir"
      title={title}
      intro="Los avisos están en el foro, en la página «Avisos». En las opciones de un canal puedes elegir otra cosa solo para ese canal."
    >
      <Loaded query={query}>{(settings) => <FollowForm {...settings} />}</Loaded>
    </SettingsSection>
  );
}

type Shown = Pick<NotificationSettings, 'follow' | 'channels' | 'important'>;

function FollowForm({ follow, channels, important }: Shown) {
  const queryClient = useQueryClient();
  const { hasMail } = useSite();
  const { id } = useUser();
  const form = useForm({
    send: (text) =>
      request(editNotificationSettings, {
        follow: text('follow') === '' ? null : (text('follow') as Follow),
        channels: text('channels') !== '',
        important: text('important') as Important,
      }),
    onSent: (saved) => {
      queryClient.setQueryData(callKey(id, getNotificationSettings), saved);
      void refetchNow(queryClient, { queryKey: newsKey(id) });
      showStatus({ text: 'Guardado' });
    },
  });
  const { chosen, community } = follow;
  const newChannelHint =
    hasMail && community === 'all'
      ? 'En «Avisos», a los diez minutos; y en los avisos por correo, si los recibes.'
      : 'En «Avisos», a los diez minutos.';
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
        <legend>Cuando alguien escribe</legend>
        {radio('', 'Lo que decida la comunidad', choices[community].now)}
        {radio('all', choices.all.label, choices.all.hint)}
        {radio('mine', choices.mine.label, choices.mine.hint)}
      </fieldset>
      <fieldset disabled={form.isBusy} className={`stack tight ${styles.choices}`}>
        <legend>Cuando alguien abre un canal</legend>
        <CheckField
          label="Avisarme de los canales nuevos"
          hint={newChannelHint}
          name="channels"
          value="1"
          defaultChecked={channels}
        />
      </fieldset>
      <fieldset disabled={form.isBusy} className={`stack tight ${styles.choices}`}>
        <legend>Avisos importantes</legend>
        <p className="note">
          Los cambios de las fechas a las que vas, los sitios que quedan libres y el recordatorio
          del día antes.
        </p>
        {(Object.keys(importantChoices) as Important[]).map((value) => (
          <CheckField
            key={value}
            {...importantChoices[value]}
            type="radio"
            name="important"
            value={value}
            defaultChecked={value === important}
          />
        ))}
      </fieldset>
      <FormEnd form={form} />
    </form>
  );
}
