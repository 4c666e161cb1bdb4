import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useUser } from '../state/store-provider.tsx';
import { type ImageUpload, useImageUpload } from '../uploads/use-image-upload.ts';
import { discardUpload, loadDraftFiles, storeCover, storeUpload } from './channel-draft.ts';

/** The file as it was chosen, and how many bytes of it are sent, which may be fewer than it has. */
interface CoverFile {
  file: File;
  bytes: number;
}

export interface Cover {
  /** The uploaded cover's download URL; null while there is none, or another is on its way. */
  url: string | null;
  /** What there is to see: the image on its way, else the one that is uploaded. */
  shown: (CoverFile & { isUploaded: boolean }) | null;
  upload: ImageUpload;
  /** Uploads a file to be the cover. One that is uploaded already stays until this one is. */
  take(file: File): void;
  /** Uploads the cover's file once more. @returns its new download URL, null if that failed */
  uploadAgain(): Promise<string | null>;
}

const busyStatuses: ImageUpload['status'][] = ['preparing', 'running', 'paused', 'finishing'];

/** The cover of the channel that is being written, kept with its draft. */
export function useCover(): Cover {
  const { id: userId } = useUser();
  const [chosen, setChosen] = useState<File | null>(null);
  const [uploaded, setUploaded] = useState<(CoverFile & { url: string }) | null>(null);
  const tellAgain = useRef((_url: string | null) => {});

  const upload = useImageUpload('cover', (url) => {
    if (!chosen) return;
    storeCover(userId, url);
    setUploaded({ ...sent(chosen), url });
    tellAgain.current(url);
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
    tellAgain.current = resolve;
    if (uploaded) take(uploaded.file);
    else resolve(null);
    setUploaded(null);
    return promise;
  };

  const resumeDraft = useEffectEvent((draft: Awaited<ReturnType<typeof loadDraftFiles>>) => {
    if (chosen) return;
    const { cover, upload: unfinished } = draft;
    if (cover) setUploaded({ ...cover, bytes: cover.file.size });
    if (unfinished) take(unfinished);
  });

  // What was chosen before a reload goes on from where it was.
  useEffect(() => {
    if (!userId) return;
    let isCurrent = true;
    loadDraftFiles(userId).then((draft) => isCurrent && resumeDraft(draft));
    return () => {
      isCurrent = false;
    };
  }, [userId]);

  useEffect(() => {
    if (prepared && userId) storeUpload(userId, prepared);
  }, [prepared, userId]);
  useEffect(() => {
    if (isOver) discardUpload(userId);
  }, [isOver, userId]);
  useEffect(() => {
    if (isOver || status === 'error') tellAgain.current(null);
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
  };
}
