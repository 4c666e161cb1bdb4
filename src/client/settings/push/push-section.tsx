import { useQueryClient } from '@tanstack/react-query';
import type { NotificationSettings } from '../../../shared/notification-settings.ts';
import { request } from '../../api/request.ts';
import { callKey } from '../../api/user-query.ts';
import { deviceZone, inZone } from '../../dom/device-zone.ts';
import { useUser } from '../../state/store-provider.tsx';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { CheckField } from '../../ui/forms/check-field.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import notices from '../../ui/notice.module.css';
import { showStatus } from '../../ui/status/status-bar.tsx';
import styles from '../../ui/styles/settings.module.css';
import { editNotificationSettings, getNotificationSettings } from '../mail/mail-calls.ts';
import { SettingsSection } from '../settings-section.tsx';
import { blockedText, canReceivePush, isIPhone, isPushBlocked } from './push-subscription.ts';
import { startPushText, usePush } from './use-push.ts';

const title = 'Avisos en este dispositivo';

type Push = NonNullable<NotificationSettings['push']>;

/** The section for push messages. Renders nothing where the site cannot push. */
export function PushSection() {
  const { push, isKnown, isOn, hasEnded, isRemembered, start, stop } = usePush();
  if (!push || !isKnown) return null;
  return (
    <SettingsSection
      id="dispositivo"
      title={title}
      intro="Al momento y aunque tengas el foro cerrado: lo que te respondan, tus menciones, lo que se escriba en los canales que sigues y lo que decida el equipo de moderación sobre lo tuyo, si no lo has leído antes."
    >
      {isOn ? (
        <ActionButton run={stop}>Quitar los avisos de este dispositivo</ActionButton>
      ) : (
        <Start {...{ isRemembered, hasEnded, start }} />
      )}
      {isIPhone() && canReceivePush() && <IPhoneNote />}
      {push.devices.length > 0 && (
        <>
          <Devices devices={push.devices} />
          <PushForm {...push} />
        </>
      )}
    </SettingsSection>
  );
}

interface StartProps {
  isRemembered: boolean;
  hasEnded: boolean;
  start: () => Promise<unknown>;
}

/** The button, or what is missing for it. */
function Start({ isRemembered, hasEnded, start }: StartProps) {
  if (!canReceivePush()) {
    return isIPhone() ? (
      <IPhoneNote />
    ) : (
      <p className="note">Este navegador no puede recibir avisos. Prueba con otro.</p>
    );
  }
  if (!isRemembered) {
    return (
      <p className="note">
        Solo donde se mantiene la sesión: ciérrala e iníciala otra vez con «Recordarme en este
        dispositivo» marcado.
      </p>
    );
  }
  if (isPushBlocked()) return <p className={notices.alert}>{blockedText}</p>;
  return (
    <>
      {hasEnded && (
        <p className={notices.alert}>
          Este dispositivo ha dejado de recibir los avisos que activaste. Actívalos otra vez.
        </p>
      )}
      <ActionButton run={start}>{startPushText}</ActionButton>
    </>
  );
}

/** The app on the home screen has storage of its own. */
function IPhoneNote() {
  return (
    <p className="note">
      {canReceivePush()
        ? 'En el iPhone, la aplicación de la pantalla de inicio tiene su propia sesión: la de Safari no vale en ella.'
        : 'En el iPhone, añade antes el foro a la pantalla de inicio, con el botón de compartir de Safari. Ábrelo desde allí e inicia sesión otra vez.'}
    </p>
  );
}

const list = new Intl.ListFormat('es');

function Devices({ devices }: Pick<Push, 'devices'>) {
  const names = devices.map(({ browser, isCurrent }) =>
    isCurrent ? `${browser} (este)` : browser,
  );
  const count = devices.length === 1 ? '1 dispositivo' : `${devices.length} dispositivos`;
  return (
    <p>
      <span>{`Los recibes en ${count}:`}</span> <bdi>{`${list.format(names)}.`}</bdi>
    </p>
  );
}

function PushForm({ excerpts, quietZone }: Push) {
  const queryClient = useQueryClient();
  const { id } = useUser();
  const here = deviceZone();
  const form = useForm({
    send: (text) => {
      const isQuiet = text('quiet') !== '';
      // The zone changes only with the quiet hours themselves.
      const isChanged = isQuiet !== (quietZone !== null);
      return request(editNotificationSettings, {
        push: {
          excerpts: text('excerpts') !== '',
          ...(isChanged && { quietZone: isQuiet ? here : null }),
        },
      });
    },
    onSent: (saved) => {
      queryClient.setQueryData(callKey(id, getNotificationSettings), saved);
      showStatus({ text: 'Guardado' });
    },
  });
  return (
    <form {...form.props} className={`stack ${styles.form}`} aria-label={title}>
      <fieldset disabled={form.isBusy} className={`stack tight ${styles.choices}`}>
        <legend>En todos tus dispositivos</legend>
        <CheckField
          label="Con el comienzo del texto"
          hint="Se puede leer sin desbloquear el teléfono. Sin marcar, solo dicen quién y en qué canal."
          name="excerpts"
          defaultChecked={excerpts}
        />
        <CheckField
          label="No molestar de 22 a 8"
          hint={`Lo que no hayas leído te llega a las 8, ${inZone(quietZone ?? here)}.`}
          name="quiet"
          defaultChecked={quietZone !== null}
        />
      </fieldset>
      <FormEnd form={form} />
    </form>
  );
}
