import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useUser } from '../state/store-provider.tsx';
import { changeDraft, readDraft } from '../storage/drafts.ts';
import { deleteLocalFiles, readLocalFile, storeLocalFile } from '../uploads/local-files.ts';
import { type ImageUpload, useImageUpload } from '../uploads/use-image-upload.ts';
import { newChannelDraft } from './channel-draft.ts';

/** A chosen file and the bytes to send, which are fewer when the image was reduced. */
interface CoverFile {
  file: File;
  bytes: number;
}

export interface Cover {
  /** The uploaded cover's download URL; null without one and while another is being uploaded. */
  url: string | null;
  /** The image to show: the one being uploaded, else the uploaded one. */
  shown: (CoverFile & { isUploaded: boolean }) | null;
  upload: ImageUpload;
  /** Uploads a file as the cover. The previous cover stays until the upload ends. */
  take(file: File): void;
  /** Uploads the cover's file again. @returns its new download URL, or null if the upload failed */
  uploadAgain(): Promise<string | null>;
  /** Deletes the stored file. */
  discard(): void;
}

const busyStatuses: ImageUpload['status'][] = ['preparing', 'running', 'paused', 'finishing'];

/** The keys of the uploaded cover and of the file that is being uploaded to replace it. */
const filesOf = (userId: string) => ({ cover: `${userId} cover`, upload: `${userId} upload` });

/** The cover of a new channel, stored with its draft. */
export function useCover(): Cover {
  const { id: userId } = useUser();
  const files = filesOf(userId);
  const [chosen, setChosen] = useState<File | null>(null);
  const [uploaded, setUploaded] = useState<(CoverFile & { url: string }) | null>(null);
  const resolveAgain = useRef((_url: string | null) => {});

  const upload = useImageUpload('cover', (url) => {
    if (!chosen) return;
    storeLocalFile(files.cover, prepared ?? chosen);
    deleteLocalFiles(files.upload);
    changeDraft(newChannelDraft(userId), { cover: url });
    setUploaded({ ...sent(chosen), url });
    resolveAgain.current(url);
  });
  const { status, canResume, file: prepared } = upload;
  const sent = (file: File) => ({ file, bytes: (prepared ?? file).size });
  const isBusy = busyStatuses.includes(status);
  const isOver = (status === 'error' && !canResume) || status === 'canceled';

  const take = (taken: File) => {
    setChosen(taken);
    upload.start(taken);
  };
  const uploadAgain = () => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    resolveAgain.current = resolve;
    if (uploaded) take(uploaded.file);
    else resolve(null);
    setUploaded(null);
    return promise;
  };

  const resumeDraft = useEffectEvent((file: File | null, unfinished: File | null) => {
    if (chosen) return;
    const { cover: url } = readDraft(newChannelDraft(userId));
    if (url && file) setUploaded({ url, file, bytes: file.size });
    if (unfinished) take(unfinished);
  });

  // Resumes the upload of a file that was chosen before a reload.
  useEffect(() => {
    if (!userId) return;
    let isCurrent = true;
    const { cover, upload } = filesOf(userId);
    Promise.all([readLocalFile(cover), readLocalFile(upload)]).then(
      (stored) => isCurrent && resumeDraft(...stored),
    );
    return () => {
      isCurrent = false;
    };
  }, [userId]);

  useEffect(() => {
    if (prepared && userId) storeLocalFile(filesOf(userId).upload, prepared);
  }, [prepared, userId]);
  useEffect(() => {
    if (isOver) deleteLocalFiles(filesOf(userId).upload);
  }, [isOver, userId]);
  useEffect(() => {
    if (isOver || status === 'error') resolveAgain.current(null);
  }, [isOver, status]);

  const ready = isBusy ? null : uploaded;
  const underWay = chosen && status !== 'canceled' ? sent(chosen) : null;
  const shown = ready ?? underWay;
  return {
    url: ready?.url ?? null,
    shown: shown && { ...shown, isUploaded: ready !== null },
    upload,
    take,
    uploadAgain,
    discard: () => deleteLocalFiles(files.cover),
  };
}
