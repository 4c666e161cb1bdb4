import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ImageUse } from '../../shared/images.ts';
import { accountApi } from '../account/account-api.ts';
import { useStore } from '../state/store.tsx';
import { texts } from '../texts.ts';
import type { UploadOrder } from './open-upload.ts';
import {
  startUpload,
  type TransferEvents,
  type UploadState,
  type UploadTask,
  type UploadWait,
} from './upload-task.ts';

export interface ImageUpload {
  /**
   * The task's state; `idle` before there is one, `preparing` until the file is ready to be sent,
   * `finishing` until its download URL is known.
   */
  status: UploadState | 'idle' | 'preparing' | 'finishing';
  /** What is sent, once it is ready. */
  file: File | null;
  bytesSent: number;
  /** What a running upload waits for. */
  wait: UploadWait | null;
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

const noTask = { subscribe: () => () => {}, getSnapshot: () => null };

/** Uploads one chosen image at a time and tells its download URL. Another choice replaces it. */
export function useImageUpload(
  use: ImageUse,
  onStored: (downloadURL: string) => void,
): ImageUpload {
  const { state, site } = useStore();
  const [task, setTask] = useState<UploadTask | null>(null);
  const [isFinished, setFinished] = useState(false);
  const snapshot = useSyncExternalStore(
    (task ?? noTask).subscribe,
    (task ?? noTask).getSnapshot,
    noTask.getSnapshot,
  );
  const latest = useRef(onStored);
  latest.current = onStored;

  // A page that is left stops its upload; the same file, chosen again, goes on from there.
  useEffect(() => () => task?.pause(), [task]);

  const storedFile = snapshot?.storedFile;
  useEffect(() => {
    if (!storedFile) return;
    let isCurrent = true;
    accountApi.getStoredFile(storedFile.fullPath).then((result) => {
      if (!isCurrent) return;
      setFinished(true);
      // The upload's own answer said it too, should this one be lost.
      latest.current((result.ok ? result.value : storedFile).downloadURL);
    });
    return () => {
      isCurrent = false;
    };
  }, [storedFile]);

  const start = (file: File) => {
    task?.cancel();
    setFinished(false);
    const order = { file, use, userId: state.user.id, maxMb: site.maxImageMb };
    setTask(startUpload((events) => loadAndOpen(order, events)));
  };

  return {
    status: snapshot ? statusOf(snapshot.state, snapshot.file, isFinished) : 'idle',
    file: snapshot?.file ?? null,
    bytesSent: snapshot?.bytesSent ?? 0,
    wait: snapshot?.wait ?? null,
    message: snapshot?.failure?.message ?? null,
    canResume: snapshot?.failure?.canResume ?? false,
    start,
    pause: useCallback(() => task?.pause(), [task]),
    resume: useCallback(() => task?.resume(), [task]),
    cancel: useCallback(() => task?.cancel(), [task]),
  };
}

function statusOf(state: UploadState, file: File | null, isFinished: boolean) {
  if (state === 'running' && !file) return 'preparing';
  if (state === 'success' && !isFinished) return 'finishing';
  return state;
}

/** What reads, reduces and sends images: loaded only where one may be chosen. */
const loadUploader = () => import('./open-upload.ts');

/** For whoever is about to choose: nothing is missing should the network go meanwhile. */
export function warmUploader(): void {
  loadUploader().catch(() => {});
  import('tus-js-client').catch(() => {});
}

async function loadAndOpen(order: UploadOrder, events: TransferEvents) {
  try {
    const { openUpload } = await loadUploader();
    return await openUpload(order, events);
  } catch (error) {
    console.error(error);
    return { message: texts.offline, canResume: false };
  }
}
