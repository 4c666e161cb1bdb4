import { useEffect, useRef, useState } from 'react';
import type { Channel, ChannelEdit } from '../../shared/channels.ts';
import { type Failure, failureText, fieldError } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { isEditable } from '../comments/edit-time.ts';
import { readingTexts } from '../comments/reading-texts.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { Alert } from '../components/notice.tsx';
import { focusTitle } from '../components/page-title.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { useSubmit } from '../components/use-submit.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { changeDraft, discardDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { preloadUploader } from '../uploads/use-image-upload.ts';
import { editChannel, getChannel } from './channel-calls.ts';
import { channelEditDraft, textFields } from './channel-draft.ts';
import styles from './channel-editor.module.css';
import { ChannelFields } from './channel-fields.tsx';
import { channelTexts } from './channel-texts.ts';
import { useCover } from './use-cover.ts';

interface ChannelEditorProps {
  channel: Channel;
  onEnd: () => void;
}

/** Changes an own channel in the place of its heading. */
export function ChannelEditor({ channel, onEnd }: ChannelEditorProps) {
  const { dispatch } = useStore();
  const { id: userId } = useUser();
  const [draft] = useState(() => channelEditDraft(userId, channel));
  const changes = useDraft(draft, (content) => content);
  const change = (part: Partial<typeof changes>) => changeDraft(draft, part);
  const form = useRef<HTMLFormElement>(null);
  const coverFile = `channel-cover ${channel._id}`;
  const cover = useCover({ files: [coverFile, `${coverFile} chosen`] });
  const [failure, setFailure] = useState<Failure | 'uploading' | null>(null);
  const refusal = failure === 'uploading' ? null : failure;
  /** Whether the channel was changed elsewhere: it is shown, and the next attempt replaces it. */
  const isStale = refusal?.problem?.status === 412;
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  const end = () => {
    cover.discard();
    discardDraft(draft);
    onEnd();
    requestAnimationFrame(focusTitle);
  };
  /** Sends changes, and shows the channel as it then is. */
  const save = async (revision: number, edit: ChannelEdit) => {
    const result = await request(editChannel, { id: channel._id, revision, edit });
    const hasChanged = !result.ok && result.problem?.status === 412;
    const now = hasChanged ? await request(getChannel, { id: channel._id, comments: 0 }) : result;
    if (now.ok) dispatch({ type: 'CHANNEL_CHANGED', channel: now.value });
    return result;
  };
  const isChanged = () =>
    cover.shown !== null || textFields.some((name) => changes[name] !== channel[name]);
  const { isBusy, onSubmit } = useSubmit(async () => {
    if (cover.shown && !cover.url) return setFailure('uploading');
    setFailure(null);
    if (!isChanged()) return end();
    const { name, description, coverAlt } = changes;
    const result = await save(isStale ? channel.revision : changes.revision, {
      ...{ name, description, coverAlt },
      ...(cover.url && { cover: cover.url }),
    });
    if (!result.ok) return setFailure(result);
    showStatus({ text: channelTexts.saved });
    if (readDraft(draft) === changes) return end();
    // Text typed in another tab stays in the draft, and is saved next.
    change({ revision: result.value.revision });
  });

  const { onKeyDown, buttons } = useCanceling({
    form,
    isBusy,
    canEnd: () => !isChanged(),
    end,
  });

  return (
    <form
      ref={form}
      className={styles.editor}
      method="post"
      aria-label={readingTexts.editChannel}
      onFocus={preloadUploader}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      <ChannelFields
        content={changes}
        cover={cover}
        isSending={isBusy}
        isNameFixed={!isEditable(channel)}
        errorOf={(name) => fieldError(refusal, name)}
        onChange={change}
      />
      {failure && (
        <Alert>
          <span>{channelTexts.notSaved}</span>
          <span>{`. ${refusal ? failureText(refusal) : channelTexts.coverUploading}`}</span>
        </Alert>
      )}
      {isStale && (
        <div className="box">
          <p>{channelTexts.saveOver}</p>
          <p dir="auto">
            <strong>{channel.name}</strong>
          </p>
          <p dir="auto">{channel.description}</p>
        </div>
      )}
      <EditButtons {...buttons} />
    </form>
  );
}
