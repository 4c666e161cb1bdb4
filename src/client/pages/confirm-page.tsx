import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { request } from '../api/request.ts';
import { callKey } from '../api/user-query.ts';
import { withQueries } from '../api/with-queries.tsx';
import { Link, useFragmentKey } from '../router/navigation.tsx';
import { getProfile } from '../session/account-calls.ts';
import { AccountForm, Outcome } from '../session/sign-in/account-form.tsx';
import { confirmEmail, getNotificationSettings } from '../settings/mail/mail-calls.ts';
import { useHydrated, useUser } from '../state/store-provider.tsx';
import { useForm } from '../ui/forms/use-form.ts';

/**
 * The page of the link that confirms an e-mail address. The link is used up only by the button: link scanners in
 * mail software open pages and run their scripts.
 */
function ConfirmPage() {
  const queryClient = useQueryClient();
  const isReady = useHydrated();
  const { id, isLogged } = useUser();
  const token = useFragmentKey();
  const [isConfirmed, setConfirmed] = useState(false);
  const form = useForm({
    send: () => request(confirmEmail, { token }),
    onSent: () => {
      setConfirmed(true);
      const keys = [callKey(id, getNotificationSettings), callKey(id, getProfile)];
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
    },
  });
  const onwards = isLogged ? (
    <Link href={`${pageRoutes.settings}#correo`}>Ir a los avisos por correo</Link>
  ) : (
    <Link href={pageRoutes.home}>Ir al inicio</Link>
  );

  if (isConfirmed) {
    return (
      <Outcome
        title="Correo confirmado"
        detail="Ya puedes recuperar el acceso por correo, y te llegarán los avisos que no hayas leído: al principio, como mucho una vez al día. Cámbialo en Ajustes cuando quieras."
        isForGuests={false}
      >
        {onwards}
      </Outcome>
    );
  }
  if (form.failure?.isRefused) {
    return (
      <Outcome {...form.failure.problem} title={form.failure.problem?.title} isForGuests={false}>
        {onwards}
      </Outcome>
    );
  }
  if (isReady && !token) {
    return (
      <Outcome
        title={pages.confirm.title}
        detail="A este enlace le falta una parte. Ábrelo otra vez desde el mensaje en el que lo recibiste."
        isForGuests={false}
      >
        {onwards}
      </Outcome>
    );
  }
  return (
    <AccountForm title={pages.confirm.title} submitLabel="Confirmar mi correo" form={form}>
      <p>
        Has abierto el enlace que enviamos a tu dirección de correo. Pulsa el botón para confirmar
        que es tuya.
      </p>
    </AccountForm>
  );
}

export const Confirm = withQueries(ConfirmPage);
