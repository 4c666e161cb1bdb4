import type { Dispatch } from 'react';
import { pageRoutes } from '../../shared/routes.ts';
import { request } from '../api/request.ts';
import { go } from '../router/navigation.tsx';
import type { Action } from '../state/actions.ts';
import { firstSpan } from '../state/state.ts';
import { withStatus } from '../ui/status/with-status.ts';
import * as calls from './change-channel-calls.ts';

/** Deletes the user's own channel and offers to undo it. */
export const deleteChannel = (id: string, dispatch: Dispatch<Action>) =>
  withStatus('No se pudo eliminar el canal.', async () => {
    // The server refuses once others have commented there, and suggests closing the channel.
    await request(calls.deleteChannel, id);
    if (location.pathname === pageRoutes.channel(id)) go(pageRoutes.home);
    dispatch({ type: 'CHANNEL_MISSING', channelId: id });
    return {
      text: 'Canal eliminado',
      action: { label: 'Deshacer', run: () => restoreChannel(id, dispatch) },
    };
  });

/** Restores the user's own channel and offers to open it. @returns whether that succeeded */
export const restoreChannel = (id: string, dispatch: Dispatch<Action>): Promise<boolean> =>
  withStatus('No se pudo recuperar el canal.', async () => {
    const channel = await request(calls.restoreChannel, id);
    dispatch({ type: 'CHANNEL_LOADED', channel, span: firstSpan(channel) });
    return {
      text: 'Canal recuperado:',
      links: [{ href: pageRoutes.channel(id), label: channel.name }],
    };
  });
