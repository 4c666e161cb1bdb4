import { useEffect, useEffectEvent, useState } from 'react';
import { deleteLocalFiles, readLocalFile, storeLocalFile } from '../uploads/local-files.ts';
import { useImageUpload } from '../uploads/use-image-upload.ts';
import type { Cover } from './use-cover.ts';

export interface NewCover extends Cover {
  /** Whether no file was stored when the page was opened. */
  isMissing: boolean;
}

/**
 * A cover that replaces the one of a channel. Its file is in IndexedDB, and is uploaded again after a
 * reload.
 * @param fileKey of the file in `local-files.ts`
 */
export function useNewCover(fileKey: string): NewCover {
  const [file, setFile] = useState<File | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const upload = useImageUpload('cover', setUrl);
  const shown = file && upload.status !== 'canceled';

  const start = (taken: File) => {
    setFile(taken);
    setUrl(null);
    upload.start(taken);
  };
  const startStored = useEffectEvent((stored: File | null) => {
    if (!stored) setMissing(true);
    else if (!file) start(stored);
  });
  useEffect(() => {
    let isCurrent = true;
    readLocalFile(fileKey).then((stored) => isCurrent && startStored(stored));
    return () => {
      isCurrent = false;
    };
  }, [fileKey]);

  const isRefused = upload.status === 'error' && !upload.canResume;
  const isOver = isRefused || upload.status === 'canceled';
  useEffect(() => {
    if (isOver) deleteLocalFiles(fileKey);
  }, [isOver, fileKey]);

  return {
    url: shown ? url : null,
    shown: shown ? { file, bytes: (upload.file ?? file).size, isUploaded: url !== null } : null,
    upload,
    take(taken) {
      storeLocalFile(fileKey, taken);
      start(taken);
    },
    uploadAgain: async () => null,
    isMissing,
    discard: () => deleteLocalFiles(fileKey),
  };
}
