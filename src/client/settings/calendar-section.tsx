import { useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '../../shared/api-routes.ts';
import { defineUserCall } from '../api/call.ts';
import { request } from '../api/request.ts';
import { callKey, useUserQuery } from '../api/user-query.ts';
import { useUser } from '../state/store-provider.tsx';
import { ActionButton } from '../ui/forms/action-button.tsx';
import { Loaded } from '../ui/loading/loaded.tsx';
import { copyText } from '../ui/status/copy-text.ts';
import { withStatus } from '../ui/status/with-status.ts';
import buttons from '../ui/styles/button.module.css';
import { SettingsSection } from './settings-section.tsx';

const getCalendar = defineUserCall<void, { url: string }>('GET', apiRoutes.ownCalendar);
const renewCalendar = defineUserCall<void, { url: string }>('POST', apiRoutes.ownCalendar);

export const useCalendar = () => useUserQuery(getCalendar);

/** The section for the address with which calendar programs read the dates of the forum. */
export function CalendarSection() {
  const queryClient = useQueryClient();
  const { id } = useUser();
  const query = useCalendar();
  const renew = () =>
    withStatus('No se pudo renovar la dirección.', async () => {
      queryClient.setQueryData(callKey(id, getCalendar), await request(renewCalendar));
      return { text: 'Dirección renovada. La anterior ya no vale.' };
    });
  return (
    <SettingsSection
      id="agenda"
      title="Tu agenda"
      intro="Con esta dirección, el calendario de tu teléfono o tu ordenador muestra las fechas del foro y sus cambios. Quien la tenga puede verlas: no la compartas."
    >
      <Loaded query={query}>
        {({ url }) => (
          <p className="row">
            <a className={buttons.quiet} href={url.replace(/^https?:/, 'webcal:')}>
              Suscribir el calendario
            </a>
            <button type="button" className={buttons.quiet} onClick={() => copyText(url)}>
              Copiar la dirección
            </button>
            <ActionButton run={renew}>Renovarla</ActionButton>
          </p>
        )}
      </Loaded>
    </SettingsSection>
  );
}
