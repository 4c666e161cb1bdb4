import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ImageUse } from '../../shared/images.ts';
import { accountTexts } from '../account-texts.ts';
import { api, failureText } from '../api.ts';
import { useStore } from '../state/store.tsx';
import { openTusTransfer } from '../tus-transfer.ts';
import { startUpload, type UploadState, type UploadTask } from '../upload-task.ts';

export interface ImageUpload {
  /** The task's state; `idle` before there is one, `finishing` until its download URL is known. */
  status: UploadState | 'idle' | 'finishing';
  percent: number;
  /** What went wrong, in state `error`. */
  message: string | null;
  canResume: boolean;
  start(file: File): void;
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** For the `accept` of a file input. */
export const acceptedImages = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

const megabyte = 1024 * 1024;
const noTask = { subscribe: () => () => {}, getSnapshot: () => null };

/** Uploads one chosen image at a time and tells its download URL. Another choice replaces it. */
export function useImageUpload(
  use: ImageUse,
  onStored: (downloadURL: string) => void,
): ImageUpload {
  const { state, site } = useStore();
  const [task, setTask] = useState<UploadTask | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isFinished, setFinished] = useState(false);
  const snapshot = useSyncExternalStore(
    (task ?? noTask).subscribe,
    (task ?? noTask).getSnapshot,
    noTask.getSnapshot,
  );
  const latest = useRef(onStored);
  latest.current = onStored;

  // A page that is left takes its upload with it.
  useEffect(() => () => task?.cancel(), [task]);

  const fullPath = snapshot?.storedFile?.fullPath;
  useEffect(() => {
    if (!task || !fullPath) return;
    let isCurrent = true;
    api.getStoredFile(fullPath).then((result) => {
      if (!isCurrent) return;
      setFinished(true);
      if (result.ok) return latest.current(result.value.downloadURL);
      console.error(result.problem);
      setRefusal(failureText(result));
    });
    return () => {
      isCurrent = false;
    };
  }, [task, fullPath]);

  const start = (file: File) => {
    setFinished(false);
    const isTooLarge = file.size > site.maxImageMb * megabyte;
    setRefusal(isTooLarge ? accountTexts.uploadTooLarge(site.maxImageMb) : null);
    setTask(
      isTooLarge
        ? null
        : startUpload(file.size, (events) => openTusTransfer(file, use, state.user.id, events)),
    );
  };

  const isFinishing = snapshot?.state === 'success' && !isFinished;
  return {
    status: refusal ? 'error' : isFinishing ? 'finishing' : (snapshot?.state ?? 'idle'),
    percent: snapshot ? percentOf(snapshot.bytesSent, snapshot.bytesTotal) : 0,
    message: refusal ?? snapshot?.failure?.message ?? null,
    canResume: !refusal && (snapshot?.failure?.canResume ?? false),
    start,
    pause: useCallback(() => task?.pause(), [task]),
    resume: useCallback(() => task?.resume(), [task]),
    cancel: useCallback(() => task?.cancel(), [task]),
  };
}

function percentOf(bytes: number, total: number): number {
  return total === 0 ? 0 : Math.floor((bytes / total) * 100);
}
