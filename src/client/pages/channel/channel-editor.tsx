import { useState } from 'react';
import type { Channel } from '../../../shared/channels.ts';
import { Failure, orFailure, ownFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { editChannel } from '../../conversation/change-channel-calls.ts';
import { getChannel } from '../../conversation/channel-calls.ts';
import { isEditable } from '../../conversation/item/edit-time.ts';
import { readingTexts } from '../../conversation/reading-texts.ts';
import { preloadUploader } from '../../images/upload/load-uploader.ts';
import { useStore, useUser } from '../../state/store-provider.tsx';
import { channelEditDraft, textFields } from '../../storage/channel-draft.ts';
import { changeDraft, discardDraft, readDraft, useDraft } from '../../storage/drafts.ts';
import { accountTexts } from '../../ui/account-texts.ts';
import { Conflict } from '../../ui/forms/conflict.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { ChannelFields } from '../channel-form/channel-fields.tsx';
import { useCover } from '../channel-form/use-cover.ts';
import styles from './channel-editor.module.css';

interface ChannelEditorProps {
  channel: Channel;
  onEnd: () => void;
}

/** Edits the user's own channel, in place of its header. */
function ChannelEditForm({ channel, onEnd }: ChannelEditorProps) {
  const { dispatch } = useStore();
  const { id: userId } = useUser();
  const [draft] = useState(() => channelEditDraft(userId, channel));
  const changes = useDraft(draft, (content) => content);
  const change = (part: Partial<typeof changes>) => changeDraft(draft, part);
  const coverFile = `channel-cover ${channel._id}`;
  const cover = useCover({ files: [coverFile, `${coverFile} chosen`] });

  const end = () => {
    void cover.discard();
    discardDraft(draft);
    onEnd();
  };
  const isChanged = () =>
    cover.shown !== null || textFields.some((name) => changes[name] !== channel[name]);
  const form = useForm({
    fields: [...textFields, 'cover'],
    first: 'textarea',
    async send() {
      const coverUrl = await cover.untilUploaded();
      if (coverUrl === undefined) return;
      if (cover.shown && !coverUrl)
        throw ownFailure('La portada no se ha subido. Súbela otra vez o elige otra.');
      if (!isChanged()) return end();
      const { name, description, coverAlt, revision } = changes;
      const edit = { name, description, coverAlt, ...(coverUrl && { cover: coverUrl }) };
      const saved = await orFailure(request(editChannel, { id: channel._id, revision, edit }));
      if (saved instanceof Failure) {
        if (saved.status === 412) await showCurrent();
        throw saved;
      }
      dispatch({ type: 'CHANNEL_CHANGED', channel: saved });
      showStatus({ text: 'Cambios guardados' });
      if (readDraft(draft) === changes) return end();
      // Changes typed in another tab during the request stay in the draft, based on the new revision.
      change({ revision: saved.revision });
    },
    failedText: ({ text }) => `${accountTexts.notSaved} ${text}`,
    isWaiting: cover.gate.isWaiting,
    isTyped() {
      cover.gate.cancel();
      return isChanged();
    },
    onCancel: end,
  });
  /** Whether the channel was changed elsewhere. The current version is shown, and the next attempt overwrites it. */
  const isStale = form.failure?.status === 412;
  const showCurrent = async () => {
    const now = await orFailure(request(getChannel, { id: channel._id, comments: 0 }));
    if (now instanceof Failure) return;
    dispatch({ type: 'CHANNEL_CHANGED', channel: now });
    change({ revision: now.revision });
  };

  return (
    <form
      {...form.props}
      className={`stack ${styles.editor}`}
      aria-label={readingTexts.editChannel}
      onFocus={preloadUploader}
    >
      <ChannelFields
        content={changes}
        nameLabel={accountTexts.name}
        cover={cover}
        isSending={form.isBusy}
        isNameFixed={!isEditable(channel)}
        errorOf={(name) => form.failure?.errorOf(name)}
        onChange={(part) => changeDraft(draft, part, true)}
      />
      {isStale && (
        <Conflict>
          <p dir="auto">
            <strong>{channel.name}</strong>
          </p>
          <p dir="auto">{channel.description}</p>
        </Conflict>
      )}
      <FormEnd form={form} />
    </form>
  );
}

export const ChannelEditor = withQueries(ChannelEditForm);
