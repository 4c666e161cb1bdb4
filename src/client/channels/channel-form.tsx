import { type ChangeEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChannelEdit } from '../../shared/channels.ts';
import { accountTexts } from '../account-texts.ts';
import { fetchServerTime } from '../api/call.ts';
import { type Failure, failureText, fieldError, type Result } from '../api/failures.ts';
import { isEditable } from '../comments/edit-time.ts';
import { readingTexts } from '../comments/reading-texts.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { TextAreaField, TextField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { useSubmit } from '../components/use-submit.ts';
import { useUser } from '../state/store-provider.tsx';
import { changeDraft, discardDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { preloadUploader } from '../uploads/use-image-upload.ts';
import { channelEditDraft, type EditedChannel, textFields } from './channel-draft.ts';
import styles from './channel-editor.module.css';
import { channelTexts } from './channel-texts.ts';
import { CoverField } from './cover-field.tsx';
import { useCover } from './use-cover.ts';

interface ChannelFormProps {
  channel: EditedChannel;
  /** Sends changes, and shows what is saved. */
  save: (change: {
    id: string;
    revision: number;
    edit: ChannelEdit;
  }) => Promise<Result<EditedChannel>>;
  /** Asks for the channel as it is now, and shows it. */
  reload: () => Promise<Result<EditedChannel>>;
  onEnd: () => void;
}

/** Changes an own channel, published or not. */
export function ChannelForm({ channel, save, reload, onEnd }: ChannelFormProps) {
  const { id: userId } = useUser();
  const [draft] = useState(() => channelEditDraft(userId, channel));
  const changes = useDraft(draft, (content) => content);
  const change = (part: Partial<typeof changes>) => changeDraft(draft, part);
  const form = useRef<HTMLFormElement>(null);
  const coverFile = `channel-cover ${channel._id}`;
  const cover = useCover({ files: [coverFile, `${coverFile} chosen`] });
  const [failure, setFailure] = useState<Failure | 'uploading' | null>(null);
  const [conflict, setConflict] = useState<EditedChannel | null>(null);
  const refusal = failure === 'uploading' ? null : failure;
  const [isNameFixed, setNameFixed] = useState(!canRename(channel));

  useEffect(() => {
    // The form may be opened before a response has told the server's time.
    fetchServerTime().then(() => setNameFixed(!canRename(channel)));
  }, [channel]);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  const chosen = cover.shown?.file.name ?? '';
  const isCanceled = cover.upload.status === 'canceled';
  const storeChosen = useEffectEvent(() => change({ newCover: chosen }));
  useEffect(() => {
    if (chosen || isCanceled) storeChosen();
  }, [chosen, isCanceled]);
  const hasLostCover = changes.newCover !== '' && cover.isMissing && !cover.shown && !isCanceled;

  const end = () => {
    cover.discard();
    discardDraft(draft);
    onEnd();
    requestAnimationFrame(() => document.querySelector('h1')?.focus());
  };
  const isChanged = () =>
    cover.shown !== null || textFields.some((name) => changes[name] !== channel[name]);
  const { isBusy, onSubmit } = useSubmit(async () => {
    if (cover.shown && !cover.url) return setFailure('uploading');
    setFailure(null);
    if (!isChanged()) return end();
    const { name, description, coverAlt } = changes;
    const result = await save({
      id: channel._id,
      revision: changes.revision,
      edit: { name, description, coverAlt, ...(cover.url && { cover: cover.url }) },
    });
    if (result.ok) {
      showStatus({ text: channelTexts.saved });
      if (readDraft(draft) === changes) return end();
      // Text typed while the request ran stays in the draft, and is saved next.
      return change({ revision: result.value.revision });
    }
    setFailure(result);
    if (result.problem?.status !== 412) return;
    const current = await reload();
    if (!current.ok) return;
    setConflict(current.value);
    change({ revision: current.value.revision });
  });

  const { onKeyDown, buttons } = useCanceling({
    form,
    isBusy,
    isSending: isBusy,
    canEnd: () => !isChanged(),
    end,
  });

  const field = (name: 'name' | 'description' | 'coverAlt') => ({
    name,
    value: changes[name],
    autoComplete: 'off',
    error: fieldError(refusal, name),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change({ [name]: currentTarget.value }),
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
      <TextField
        label={accountTexts.channelTitle}
        hint={isNameFixed ? channelTexts.nameFixed : undefined}
        {...field('name')}
        dir="auto"
        required
        readOnly={isNameFixed}
      />
      <TextAreaField
        label={accountTexts.channelDescription}
        {...field('description')}
        rows={4}
        required
      />
      <CoverField
        cover={cover}
        error={hasLostCover ? channelTexts.coverLost : fieldError(refusal, 'cover')}
      />
      <TextField
        label={accountTexts.coverAlt}
        hint={accountTexts.coverAltHint}
        {...field('coverAlt')}
        dir="auto"
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
      <EditButtons {...buttons} />
    </form>
  );
}

const canRename = ({ createdAt }: EditedChannel) => createdAt === null || isEditable({ createdAt });
