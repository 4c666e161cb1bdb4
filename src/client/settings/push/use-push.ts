import { useQueryClient } from '@tanstack/react-query';
import { accountKey } from '../../api/query-client.ts';
import { callKey, useClientQuery } from '../../api/user-query.ts';
import { useUser } from '../../state/store-provider.tsx';
import { readRemembered } from '../../storage/session.ts';
import { withStatus } from '../../ui/status/with-status.ts';
import { getNotificationSettings } from '../mail/mail-calls.ts';
import { useNotificationSettings } from '../mail/mail-section.tsx';
import { canReceivePush, findPush, subscribe, unsubscribe } from './push-subscription.ts';

/** Push messages to this browser, and how to switch them on and off. */
export function usePush() {
  const queryClient = useQueryClient();
  const { id } = useUser();
  const queryKey = [...accountKey(id), 'push subscription'];
  const query = { queryKey, queryFn: findPush, enabled: canReceivePush() };
  const { data: here, isFetched } = useClientQuery(query);
  const settings = useNotificationSettings();
  const push = settings.data?.push;
  const change = (failed: string, text: string, work: () => Promise<void>) =>
    withStatus(failed, async () => {
      try {
        await work();
      } finally {
        await queryClient.invalidateQueries({ queryKey });
        await queryClient.invalidateQueries({ queryKey: callKey(id, getNotificationSettings) });
      }
      return { text };
    });

  const isOn = here?.isSubscribed === true && push?.devices.some(({ isCurrent }) => isCurrent);
  return {
    push,
    isRemembered: readRemembered() === id,
    isOn,
    /** Whether they were switched on here, and ended without anybody wishing so. */
    hasEnded: here?.isWanted === true && !isOn,
    isKnown: !canReceivePush() || isFetched,
    start: () =>
      change('No se pudieron activar los avisos.', 'Avisos activados en este dispositivo', () =>
        subscribe(push?.key ?? ''),
      ),
    stop: () =>
      change(
        'No se pudieron quitar los avisos.',
        'Este dispositivo ya no recibe avisos',
        unsubscribe,
      ),
  };
}

export const startPushText = 'Activar avisos en este dispositivo';
