import { useEffect, useEffectEvent, useState } from 'react';
import { type Upload, useUpload } from '../../images/upload/use-upload.ts';
import { type UploadGate, useUploadGate } from '../../images/upload/use-upload-gate.ts';
import { useUser } from '../../state/store-provider.tsx';
import { deleteLocalFiles, readLocalFile, storeLocalFile } from '../../storage/local-files.ts';

/** A chosen file and the number of bytes to send, which is smaller when the image was reduced. */
interface CoverFile {
  file: File;
  bytes: number;
}

export interface CoverChoice {
  /** The uploaded cover's download URL; null without a cover and while another one is being uploaded. */
  url: string | null;
  /** The image to show: the one being uploaded, or else the uploaded one. */
  shown: (CoverFile & { isUploaded: boolean }) | null;
  upload: Upload;
  isUploading: boolean;
  /** Uploads a file as the cover. The previous cover stays until the upload ends. */
  take(file: File): void;
  /** Lets the form wait for the upload. */
  gate: UploadGate<string | null>;
  /**
   * Resumes a paused upload and resolves when it ends: to the cover's download URL; to null without a cover or when
   * the upload fails; to undefined when the upload is paused or cancelled, or the wait is cancelled.
   */
  untilUploaded(): Promise<string | null | undefined>;
  /** Uploads the cover's file again. @returns as `untilUploaded` */
  uploadAgain(): Promise<string | null | undefined>;
  /** Deletes the stored files. */
  discard(): Promise<void>;
}

interface CoverOptions {
  /** Names of two files in `local-files.ts`: the uploaded cover, and a new one that is to replace it. */
  files: readonly [uploaded: string, chosen: string];
  /** The download URL of the stored cover, or null when it must be uploaded again. */
  storedUrl?: () => string | null;
  onUploaded?: (url: string) => void;
}

const busyStatuses: Upload['status'][] = ['preparing', 'running', 'paused', 'finishing'];

/** The cover chosen for a channel. Its file survives a reload. */
export function useCover({ files, storedUrl, onUploaded }: CoverOptions): CoverChoice {
  const { id: userId } = useUser();
  const [uploadedKey, chosenKey] = [`${userId} ${files[0]}`, `${userId} ${files[1]}`];
  const [chosen, setChosen] = useState<File | null>(null);
  const [uploaded, setUploaded] = useState<(CoverFile & { url: string }) | null>(null);

  const upload = useUpload('cover', async (url) => {
    if (!chosen) return;
    onUploaded?.(url);
    // Stored before the cover is shown as uploaded: after a reload, the file must be found.
    await Promise.all([
      deleteLocalFiles(chosenKey),
      storeLocalFile(uploadedKey, prepared ?? chosen),
    ]);
    setUploaded({ ...sent(chosen), url });
  });
  const { status, canResume, file: prepared } = upload;
  const sent = (file: File) => ({ file, bytes: (prepared ?? file).size });
  const isUploading = busyStatuses.includes(status);
  const isOver = (status === 'error' && !canResume) || status === 'canceled';

  const take = (taken: File) => {
    void storeLocalFile(chosenKey, taken);
    setChosen(taken);
    upload.start(taken);
  };
  const uploadAgain = () => {
    if (!uploaded) return Promise.resolve(null);
    take(uploaded.file);
    setUploaded(null);
    return gate.untilKnown();
  };

  // Resumes the upload of a file that was chosen before a reload.
  const resume = useEffectEvent((file: File | null, unfinished: File | null) => {
    if (chosen) return;
    const url = storedUrl?.() ?? null;
    if (file && url) setUploaded({ url, file, bytes: file.size });
    const rest = unfinished ?? (url ? null : file);
    if (rest) take(rest);
  });
  useEffect(() => {
    if (!userId) return;
    let isCurrent = true;
    void Promise.all([readLocalFile(uploadedKey), readLocalFile(chosenKey)]).then(
      (stored) => isCurrent && resume(...stored),
    );
    return () => {
      isCurrent = false;
    };
  }, [userId, uploadedKey, chosenKey]);

  useEffect(() => {
    if (isOver) void deleteLocalFiles(chosenKey);
  }, [isOver, chosenKey]);

  const ready = isUploading ? null : uploaded;
  const url = ready?.url ?? null;
  const gate = useUploadGate(isUploading ? undefined : status === 'error' ? null : url);
  const underWay = chosen && status !== 'canceled' ? sent(chosen) : null;
  const shown = ready ?? underWay;
  return {
    url,
    shown: shown && { ...shown, isUploaded: ready !== null },
    upload: {
      ...upload,
      pause() {
        gate.cancel();
        upload.pause();
      },
      cancel() {
        gate.cancel();
        upload.cancel();
      },
    },
    isUploading,
    gate,
    untilUploaded() {
      if (status === 'paused') upload.resume();
      return isUploading ? gate.untilKnown() : Promise.resolve(url);
    },
    take,
    uploadAgain,
    async discard() {
      await Promise.all([uploadedKey, chosenKey].map(deleteLocalFiles));
    },
  };
}
