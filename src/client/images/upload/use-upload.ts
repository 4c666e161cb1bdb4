import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { StoredFile } from '../../../shared/images.ts';
import type { Site } from '../../../shared/page-data.ts';
import { defineCall } from '../../api/call.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { useStore, useUser } from '../../state/store-provider.tsx';
import { loadUploader } from './load-uploader.ts';
import {
  type SentUse,
  startUpload,
  type UploadSnapshot,
  type UploadState,
  type UploadTask,
} from './upload-task.ts';

export interface Upload extends Pick<UploadSnapshot, 'file' | 'bytesSent' | 'pauseReason'> {
  /**
   * The task's state, or `idle` before a file is chosen, `preparing` until it can be sent, and `finishing` from the
   * end of the upload until its download URL is known.
   */
  status: UploadState | 'idle' | 'preparing' | 'finishing';
  /** The message to show in state `error`. */
  message: string | null;
  canResume: boolean;
  start(file: File): void;
  pause(): void;
  resume(): void;
  cancel(): void;
}

const getStoredFile = defineCall<string, StoredFile>('GET', apiRoutes.storedFile);

const noTask = { subscribe: () => () => {}, getSnapshot: () => null };

/**
 * Uploads one image, or one other file, at a time; `start` with another one replaces it. Calls `onStored` at the end, and
 * stays `finishing` until that call has completed. A chat is not stored, and has the status `success` when it was sent.
 */
export function useUpload(
  use: SentUse,
  onStored?: (downloadURL: string, stored: StoredFile) => void | Promise<void>,
): Upload {
  const { id: userId } = useUser();
  const { site } = useStore();
  const [task, setTask] = useState<UploadTask | null>(null);
  const [isFinished, setFinished] = useState(false);
  const snapshot = useSyncExternalStore(
    (task ?? noTask).subscribe,
    (task ?? noTask).getSnapshot,
    noTask.getSnapshot,
  );
  const reportStored = useEffectEvent(onStored ?? (() => {}));

  // Leaving the page pauses its upload; choosing the same file again resumes it.
  useEffect(() => {
    if (!task) return;
    addEventListener('online', task.goOn);
    return () => {
      removeEventListener('online', task.goOn);
      task.pause();
    };
  }, [task]);

  const storedFile = snapshot?.storedFile;
  useEffect(() => {
    if (!storedFile) return;
    let isCurrent = true;
    void obtainUrl(storedFile).then(async (url) => {
      if (!isCurrent) return;
      await reportStored(url, storedFile);
      if (isCurrent) setFinished(true);
    });
    return () => {
      isCurrent = false;
    };
  }, [storedFile]);

  const start = (file: File) => {
    task?.cancel();
    setFinished(false);
    const request = { file, use, userId, maxMb: maxMbOf(use, site) };
    setTask(startUpload(async (events) => (await loadUploader()).openUpload(request, events)));
  };

  return {
    status: snapshot ? statusOf(snapshot, isFinished || use === 'import') : 'idle',
    file: snapshot?.file ?? null,
    bytesSent: snapshot?.bytesSent ?? 0,
    pauseReason: snapshot?.pauseReason ?? null,
    message: snapshot?.failure?.message ?? null,
    canResume: snapshot?.failure?.canResume ?? false,
    start,
    pause: () => task?.pause(),
    resume: () => task?.resume(),
    cancel: () => task?.cancel(),
  };
}

async function obtainUrl({ fullPath, downloadURL }: StoredFile): Promise<string> {
  // One that is not public yet has a signed URL, which only the response to the upload contains.
  if (downloadURL.includes('?signature=')) return downloadURL;
  const stored = await orFailure(request(getStoredFile, fullPath));
  return stored instanceof Failure ? downloadURL : stored.downloadURL;
}

function maxMbOf(use: SentUse, { maxFileMb, maxImageMb }: Site): number {
  // The server refuses a chat that is too large.
  if (use === 'import') return Number.POSITIVE_INFINITY;
  return use === 'file' ? maxFileMb : maxImageMb;
}

function statusOf({ state, file }: UploadSnapshot, isFinished: boolean) {
  if (state === 'running' && !file) return 'preparing';
  if (state === 'success' && !isFinished) return 'finishing';
  return state;
}
