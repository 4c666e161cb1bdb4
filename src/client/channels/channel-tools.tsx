import type { Dispatch } from 'react';
import type { Channel } from '../../shared/channels.ts';
import type { Level } from '../../shared/notices.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { request } from '../api/request.ts';
import { readingTexts } from '../comments/reading-texts.ts';
import { ActionMenu } from '../components/action-menu.tsx';
import { attempt } from '../components/attempt.ts';
import buttons from '../components/button.module.css';
import { copyLink } from '../components/copy-link.ts';
import { type SubjectTask, subjectActions } from '../moderation/subject-actions.ts';
import { go } from '../router/navigation.tsx';
import type { Action } from '../state/actions.ts';
import { moreAfterOf } from '../state/state.ts';
import { useStore } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import * as calls from './change-channel-calls.ts';

interface ChannelToolsProps {
  channel: Channel;
  isMine: boolean;
  onEdit: () => void;
  onTask: (task: SubjectTask) => void;
}

/**
 * The menu of a channel: people follow or silence it; its author edits it, closes or reopens it, and deletes it; admins
 * pin it; others report it or decide.
 */
export function ChannelTools({ channel, isMine, onEdit, onTask }: ChannelToolsProps) {
  const { dispatch, getState } = useStore();
  const { _id, autorId, closedAt, isPinned } = channel;
  const isClosed = closedAt !== null;
  /** Whether a comment of somebody else is loaded: the server then refuses to delete the channel. */
  const isShared = () =>
    getState()
      .channels.get(_id)
      ?.comments.some((comment) => comment.autorId !== autorId);
  const copy = { label: texts.copyLink, run: () => copyLink(pageRoutes.channel(_id)) };
  const levelActions = () => {
    const level = getState().reads[_id]?.level ?? 'mine';
    const action = (to: 'all' | 'none', choose: string, leave: string) => ({
      label: level === to ? leave : choose,
      run: () => chooseLevel(_id, level === to ? 'mine' : to, dispatch),
    });
    return [
      action('all', 'Seguir', 'Dejar de seguir'),
      action('none', 'Silenciar', 'Dejar de silenciar'),
    ];
  };
  const adminActions = () =>
    getState().role === 'admin'
      ? [
          {
            label: isPinned ? 'Dejar de fijar' : 'Fijar en la portada',
            run: () => setPinned(_id, !isPinned, dispatch),
          },
        ]
      : [];
  const authorActions = () => [
    ...levelActions(),
    { label: readingTexts.editChannel, run: onEdit },
    {
      label: isClosed ? 'Reabrir canal' : 'Cerrar canal',
      run: () => setClosed(_id, !isClosed, dispatch),
    },
    ...adminActions(),
    copy,
    ...(isShared()
      ? []
      : [{ label: 'Eliminar canal', destroys: true, run: () => deleteChannel(_id, dispatch) }]),
  ];
  const othersActions = () => subjectActions({ kind: 'channel', role: getState().role }, onTask);
  return (
    <ActionMenu
      className={buttons.round}
      label="Opciones del canal"
      actions={() =>
        isMine ? authorActions() : [...levelActions(), ...adminActions(), copy, ...othersActions()]
      }
    />
  );
}

const levelTexts: Record<Level, string> = {
  all: 'Sigues este canal: en Avisos verás cuánto hay nuevo',
  mine: 'Recibirás las respuestas, menciones y gracias de este canal',
  none: 'Canal silenciado: no recibirás avisos de él',
};

const chooseLevel = (channelId: string, level: Level, dispatch: Dispatch<Action>) =>
  attempt('No se pudo cambiar qué avisos recibes.', async () => {
    await request(calls.setLevel, { channelId, level });
    dispatch({ type: 'LEVEL_CHOSEN', channelId, level });
    return { text: levelTexts[level] };
  });

const setPinned = (id: string, pinned: boolean, dispatch: Dispatch<Action>) =>
  attempt(pinned ? 'No se pudo fijar el canal.' : 'No se pudo dejar de fijar.', async () => {
    const channel = await request(calls.pinChannel, { id, pinned });
    dispatch({ type: 'CHANNEL_CHANGED', channel });
    return { text: pinned ? 'Canal fijado en la portada' : 'Canal sin fijar' };
  });

const setClosed = (id: string, isClosed: boolean, dispatch: Dispatch<Action>) =>
  attempt(isClosed ? 'No se pudo cerrar el canal.' : 'No se pudo reabrir el canal.', async () => {
    const channel = await request(isClosed ? calls.closeChannel : calls.reopenChannel, id);
    dispatch({ type: 'CHANNEL_CHANGED', channel });
    return {
      text: isClosed ? 'Canal cerrado: se puede leer, pero no comentar' : 'Canal reabierto',
    };
  });

const deleteChannel = (id: string, dispatch: Dispatch<Action>) =>
  attempt('No se pudo eliminar el canal.', async () => {
    // The server refuses it once others have written there, and says to close it.
    await request(calls.deleteChannel, id);
    if (location.pathname === pageRoutes.channel(id)) go(pageRoutes.home);
    dispatch({ type: 'CHANNEL_MISSING', channelId: id });
    return {
      text: 'Canal eliminado',
      action: { label: 'Deshacer', run: () => restoreChannel(id, dispatch) },
    };
  });

/** Restores an own channel and offers to open it. @returns whether that succeeded */
export const restoreChannel = (id: string, dispatch: Dispatch<Action>): Promise<boolean> =>
  attempt('No se pudo recuperar el canal.', async () => {
    const channel = await request(calls.restoreChannel, id);
    const moreAfter = moreAfterOf(channel);
    dispatch({ type: 'CHANNEL_LOADED', channel, moreAfter, moreBefore: null });
    return {
      text: 'Canal recuperado:',
      links: [{ href: pageRoutes.channel(id), label: channel.name }],
    };
  });
