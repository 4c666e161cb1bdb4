import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Channel } from '../../shared/channels.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText, fieldError } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { isEditable } from '../comments/edit-time.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { TextAreaField, TextField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { preloadUploader } from '../uploads/use-image-upload.ts';
import { editChannel, getChannel } from './channel-calls.ts';
import { changedParts, channelEditDraft } from './channel-edit-draft.ts';
import styles from './channel-editor.module.css';
import { channelTexts } from './channel-texts.ts';
import { CoverField } from './cover-field.tsx';
import { useNewCover } from './use-new-cover.ts';

interface ChannelEditorProps {
  channel: Channel;
  onEnd: () => void;
}

/** Changes an own channel in the place of its heading. */
export function ChannelEditor({ channel, onEnd }: ChannelEditorProps) {
  const { dispatch } = useStore();
  const { id: userId } = useUser();
  const [draft] = useState(() => channelEditDraft(userId, channel));
  const [opened] = useState(draft.read);
  const form = useRef<HTMLFormElement>(null);
  const cover = useNewCover(`${userId} channel-cover ${channel._id}`);
  const [failure, setFailure] = useState<Failure | 'uploading' | null>(null);
  const [conflict, setConflict] = useState<Channel | null>(null);
  const [isAsking, setAsking] = useState(false);
  const refusal = failure === 'uploading' ? null : failure;
  const isNameFixed = !isEditable(channel);

  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  const chosen = cover.shown?.file.name ?? '';
  const isCanceled = cover.upload.status === 'canceled';
  useEffect(() => {
    if (chosen || isCanceled) draft.store({ ...draft.read(), newCover: chosen });
  }, [draft, chosen, isCanceled]);
  const hasLostCover = opened.newCover !== '' && cover.isMissing && !cover.shown && !isCanceled;

  const end = () => {
    cover.discard();
    draft.discard();
    onEnd();
    requestAnimationFrame(() => document.querySelector('h1')?.focus());
  };
  const isChanged = () =>
    cover.shown !== null || Object.keys(changedParts(channel, draft.read(), null)).length > 0;
  const keepEditing = () => {
    setAsking(false);
    form.current?.querySelector('textarea')?.focus();
  };
  const cancel = () => {
    if (!isChanged()) end();
    else if (isAsking) keepEditing();
    else setAsking(true);
  };

  const { isBusy, onSubmit } = useSubmit(async () => {
    if (cover.shown && !cover.url) return setFailure('uploading');
    setFailure(null);
    const changes = draft.read();
    const parts = changedParts(channel, changes, cover.url);
    if (Object.keys(parts).length === 0) return end();
    const result = await request(editChannel, {
      id: channel._id,
      revision: changes.revision,
      edit: parts,
    });
    if (result.ok) {
      dispatch({ type: 'CHANNEL_CHANGED', channel: result.value });
      showStatus({ text: channelTexts.saved });
      return end();
    }
    setFailure(result);
    if (result.problem?.status !== 412) return;
    const current = await request(getChannel, { id: channel._id, comments: 0 });
    if (!current.ok) return;
    dispatch({ type: 'CHANNEL_CHANGED', channel: current.value });
    setConflict(current.value);
    draft.store({ ...changes, revision: current.value.revision });
  });

  const onInput = () => {
    if (!form.current) return;
    const typed = (name: string) => fieldText(form.current as HTMLFormElement, name);
    draft.store({
      ...draft.read(),
      name: typed('name'),
      description: typed('description'),
      coverAlt: typed('coverAlt'),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    cancel();
  };

  return (
    <form
      ref={form}
      className={styles.editor}
      method="post"
      aria-label={channelTexts.edit}
      onFocus={preloadUploader}
      onInput={onInput}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      <PageTitle>{channelTexts.edit}</PageTitle>
      <TextField
        label={accountTexts.channelTitle}
        hint={isNameFixed ? channelTexts.nameFixed : undefined}
        name="name"
        autoComplete="off"
        dir="auto"
        required
        readOnly={isNameFixed}
        defaultValue={opened.name}
        error={fieldError(refusal, 'name')}
      />
      <TextAreaField
        label={accountTexts.channelDescription}
        name="description"
        rows={4}
        autoComplete="off"
        required
        defaultValue={opened.description}
        error={fieldError(refusal, 'description')}
      />
      <CoverField
        cover={cover}
        error={hasLostCover ? channelTexts.coverLost : fieldError(refusal, 'cover')}
      />
      <TextField
        label={accountTexts.coverAlt}
        hint={accountTexts.coverAltHint}
        name="coverAlt"
        autoComplete="off"
        dir="auto"
        defaultValue={opened.coverAlt}
        error={fieldError(refusal, 'coverAlt')}
      />
      {failure && (
        <Alert>
          <span>{channelTexts.notSaved}</span>
          {'. '}
          {refusal ? failureText(refusal) : channelTexts.coverUploading}
        </Alert>
      )}
      {conflict && (
        <div className={styles.current}>
          <p>{channelTexts.saveOver}</p>
          <p dir="auto">
            <strong>{conflict.name}</strong>
          </p>
          <p dir="auto">{conflict.description}</p>
        </div>
      )}
      <EditButtons
        isBusy={isBusy}
        isAsking={isAsking}
        onCancel={cancel}
        onDiscard={end}
        onKeepEditing={keepEditing}
      />
    </form>
  );
}
