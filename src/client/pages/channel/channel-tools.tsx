import type { Dispatch } from 'react';
import type { Channel } from '../../../shared/channels.ts';
import type { Level } from '../../../shared/notifications.ts';
import { request } from '../../api/request.ts';
import * as calls from '../../conversation/change-channel-calls.ts';
import { deleteChannel } from '../../conversation/delete-channel.ts';
import { readingTexts } from '../../conversation/reading-texts.ts';
import { type SubjectTask, subjectActions } from '../../moderation/subject-actions.ts';
import { go } from '../../router/navigation.tsx';
import { invitationUrl } from '../../settings/invitation-url.ts';
import type { Action } from '../../state/actions.ts';
import { useAppState, useSite, useStore } from '../../state/store-provider.tsx';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';
import { dot, texts } from '../../ui/texts.ts';
import styles from './channel-header.module.css';
import { shareChannel } from './share-channel.ts';

interface ChannelToolsProps {
  channel: Channel;
  isMine: boolean;
  onEdit: () => void;
  onTask: (task: SubjectTask) => void;
}

/**
 * The menu of a channel: users share it, follow it or receive no notifications of it; its author edits, closes, reopens
 * or deletes it; admins pin it; others report it or make decisions about it.
 */
export function ChannelTools({ channel, isMine, onEdit, onTask }: ChannelToolsProps) {
  const { dispatch, getState } = useStore();
  const { _id, autor, autorId, closedAt, isPinned } = channel;
  const { registration } = useSite();
  const isClosed = closedAt !== null;
  /** Whether a comment by another person is loaded, in which case the server refuses to delete the channel. */
  const isShared = () =>
    getState()
      .channels.get(_id)
      ?.comments.some((comment) => comment.autorId !== autorId);
  const inviteActions =
    registration === 'closed'
      ? []
      : [{ label: 'Invitar a este canal', run: () => go(invitationUrl(_id)) }];
  const levelActions = () => {
    const { reads, follow } = getState();
    const level = reads[_id]?.level ?? follow;
    const action = (to: 'all' | 'none', choose: string, leave: string) => ({
      label: level === to ? leave : choose,
      run: () => chooseLevel(_id, level === to ? 'mine' : to, dispatch),
    });
    return [
      action('all', 'Seguir', 'Dejar de seguir'),
      action('none', 'Silenciar este canal', 'Activar sus avisos'),
    ];
  };
  const adminActions = () =>
    getState().role === 'admin'
      ? [
          {
            label: isPinned ? 'Dejar de fijar' : 'Fijar en el inicio',
            isApart: isMine,
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
    ...inviteActions,
    ...(isShared()
      ? []
      : [{ label: 'Eliminar canal', destroys: true, run: () => deleteChannel(_id, dispatch) }]),
    ...adminActions(),
  ];
  const othersActions = () =>
    subjectActions({ kind: 'channel', name: autor, role: getState().role }, onTask);
  return (
    <ActionMenu
      className={buttons.round}
      label={texts.channelOptions}
      actions={() => [
        { label: texts.share, run: () => shareChannel(channel) },
        ...(isMine
          ? authorActions()
          : [...levelActions(), ...inviteActions, ...othersActions(), ...adminActions()]),
      ]}
    />
  );
}

const levelMarks: Partial<Record<Level, string>> = { all: 'Lo sigues', none: 'Sin avisos' };

/** Says whether the user follows the channel or receives nothing of it. */
export function LevelMark({ channelId }: { channelId: string }) {
  const level = useAppState(({ reads, follow }) => reads[channelId]?.level ?? follow);
  const mark = levelMarks[level];
  return (
    mark && (
      <span className={styles.level}>
        <span className={styles.dot}>{dot}</span>
        <span>{mark}</span>
      </span>
    )
  );
}

const levelTexts: Record<Level, string> = {
  all: 'Sigues este canal: en Avisos verás cuándo escriben',
  mine: 'Recibirás las respuestas, menciones y gracias de este canal',
  none: 'No recibirás avisos de este canal',
};

const chooseLevel = (channelId: string, level: Level, dispatch: Dispatch<Action>) =>
  withStatus('No se pudo cambiar qué avisos recibes.', async () => {
    await request(calls.setLevel, { channelId, level });
    dispatch({ type: 'LEVEL_CHOSEN', channelId, level });
    return { text: levelTexts[level] };
  });

const setPinned = (id: string, pinned: boolean, dispatch: Dispatch<Action>) =>
  withStatus(pinned ? 'No se pudo fijar el canal.' : 'No se pudo dejar de fijar.', async () => {
    const channel = await request(calls.pinChannel, { id, pinned });
    dispatch({ type: 'CHANNEL_CHANGED', channel });
    return { text: pinned ? 'Canal fijado en el inicio' : 'Canal sin fijar' };
  });

const setClosed = (id: string, isClosed: boolean, dispatch: Dispatch<Action>) =>
  withStatus(
    isClosed ? 'No se pudo cerrar el canal.' : 'No se pudo reabrir el canal.',
    async () => {
      const channel = await request(isClosed ? calls.closeChannel : calls.reopenChannel, id);
      dispatch({ type: 'CHANNEL_CHANGED', channel });
      return {
        text: isClosed ? 'Canal cerrado: se puede leer, pero no comentar' : 'Canal reabierto',
      };
    },
  );
