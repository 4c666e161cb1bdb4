import { useState } from 'react';
import { pageRoutes } from '../../../shared/routes.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { Link } from '../../router/navigation.tsx';
import { getProfile } from '../../session/account-calls.ts';
import { useSite, useUser } from '../../state/store-provider.tsx';
import { localStore } from '../../storage/browser-storage.ts';
import notices from '../../ui/notice.module.css';
import { focusTitle } from '../../ui/page-title.tsx';
import buttons from '../../ui/styles/button.module.css';

const closedKey = (userId: string) => `${userId} confirm email closed`;

/** Says that the address is not confirmed, where the site sends mail, until it is closed in this browser. */
export function ConfirmEmailOnHome() {
  const { hasMail } = useSite();
  const { id, email } = useUser();
  const { data } = useUserQuery(getProfile, undefined, { isBackground: true });
  const [isClosed, setClosed] = useState(() => localStore.get(closedKey(id)) !== null);
  if (!hasMail || isClosed || data?.emailConfirmed !== false || !email.includes('@')) return null;
  const close = () => {
    localStore.set(closedKey(id), '');
    setClosed(true);
    focusTitle();
  };
  return (
    <div className={`row ${notices.note}`}>
      <p>
        <Link href={`${pageRoutes.settings}#correo`}>Confirma tu correo</Link>
        <span>: sin eso no podrás recuperar el acceso.</span>
      </p>
      <button type="button" className={buttons.quiet} onClick={close}>
        Ahora no
      </button>
    </div>
  );
}
