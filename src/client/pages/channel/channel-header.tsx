import { useState } from 'react';
import type { Channel } from '../../../shared/channels.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { readingTexts } from '../../conversation/reading-texts.ts';
import { CommentText } from '../../conversation/text/comment-text.tsx';
import { Cover } from '../../images/cover.tsx';
import { SubjectPanel, useSubjectPanel } from '../../moderation/subject-panel.tsx';
import { useAppState, useStore, useUser } from '../../state/store-provider.tsx';
import { AutorLink, Avatar } from '../../ui/avatar.tsx';
import { GuestMenu } from '../../ui/guest-menu.tsx';
import { accountPart, lazyPart } from '../../ui/loading/lazy-part.tsx';
import { focusTitle, PageTitle } from '../../ui/page-title.tsx';
import buttons from '../../ui/styles/button.module.css';
import { texts } from '../../ui/texts.ts';
import { Time } from '../../ui/time/time.tsx';
import styles from './channel-header.module.css';
import { fetchChannel } from './fetch-channel.ts';

const ChannelEditor = lazyPart(async () => (await import('./channel-editor.tsx')).ChannelEditor);
const LevelMark = accountPart((parts) => parts.LevelMark, { isQuiet: true });
const ChannelTools = accountPart((parts) => parts.ChannelTools, { isQuiet: true });

export function ChannelHeader({ channel }: { channel: Channel }) {
  const { _id, name, cover, coverAlt, autorId } = channel;
  const isMine = useAppState(({ user }) => user.isLogged && user.id === autorId);
  const [wantsToEdit, setWantsToEdit] = useState(false);
  const isEditing = isMine && wantsToEdit;
  return (
    <header className={`stack ${styles.header}`}>
      <Cover
        className={styles.cover}
        channelId={_id}
        cover={cover}
        alt={coverAlt || `Portada de ${name}`}
        size="page"
        isFirst
      />
      <PageTitle>{isEditing ? readingTexts.editChannel : name}</PageTitle>
      {isEditing ? (
        <ChannelEditor channel={channel} onEnd={() => setWantsToEdit(false)} />
      ) : (
        <Details channel={channel} isMine={isMine} onEdit={() => setWantsToEdit(true)} />
      )}
    </header>
  );
}

interface DetailsProps {
  channel: Channel;
  isMine: boolean;
  onEdit: () => void;
}

function Details({ channel, isMine, onEdit }: DetailsProps) {
  const { _id, description, autor, autorId, autorImg, createdAt } = channel;
  const { id: userId, isLogged } = useUser();
  const { dispatch } = useStore();
  const { open, panel } = useSubjectPanel({
    userId,
    subject: { kind: 'channel', id: _id },
    name: autor,
    focus: focusTitle,
    onDecided({ action }) {
      if (action !== 'hide' && action !== 'hideAll') return;
      dispatch({ type: 'CHANNEL_MISSING', channelId: _id });
      // The response may arrive after the user has left for another page.
      if (location.pathname === pageRoutes.channel(_id))
        dispatch({ type: 'ADDRESS_MISSING', address: location.pathname + location.search });
    },
    async onUndone() {
      const loaded = await orFailure(fetchChannel(_id, {}));
      if (!(loaded instanceof Failure)) dispatch(loaded);
    },
  });
  return (
    <>
      <div className={styles.autor}>
        <Avatar img={autorImg} size={45} isEager />
        <div>
          <p className={styles.name}>
            <AutorLink className="plain tall" id={autorId} name={autor} />
          </p>
          <p className="muted">
            <span>
              {texts.opened} <Time iso={createdAt} />
            </span>
            {isLogged && <LevelMark channelId={_id} />}
          </p>
        </div>
        <div className={`unprinted ${styles.tools}`}>
          {isLogged && (
            <ChannelTools channel={channel} isMine={isMine} onEdit={onEdit} onTask={open} />
          )}
          <GuestMenu
            className={buttons.round}
            label={texts.channelOptions}
            onReport={() => open('report')}
            onShare={async () => (await import('./share-channel.ts')).shareChannel(channel)}
          />
        </div>
      </div>
      <SubjectPanel {...panel} />
      <CommentText className={styles.description} text={description} />
    </>
  );
}
