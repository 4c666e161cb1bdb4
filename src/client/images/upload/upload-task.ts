import type { StoredFile, UploadUse } from '../../../shared/images.ts';

/** The purpose of an upload: an image or file that is stored, or a chat that an admin brings. */
export type SentUse = UploadUse | 'import';

/** The specification's states of an upload task. */
export type UploadState = 'running' | 'paused' | 'success' | 'canceled' | 'error';
type UploadEvent = 'pause' | 'resume' | 'cancel' | 'succeed' | 'fail';

/** Why a running upload waits before it continues automatically. */
type PauseReason = 'network' | 'server';

export interface UploadSnapshot {
  state: UploadState;
  /** The file being sent, which may be a reduced image; null until it is prepared. */
  file: File | null;
  bytesSent: number;
  /** Set only in state `running`. */
  pauseReason: PauseReason | null;
  /** The stored file; set only in state `success`, and not for a chat. */
  storedFile: StoredFile | null;
  /** Set only in state `error`. */
  failure: UploadFailure | null;
}

export interface UploadFailure {
  message: string;
  /** Whether resuming may succeed: after a lost connection, but not after a rejection. */
  canResume: boolean;
}

/** The transfer of one file. It reports to the `TransferEvents` passed when it was opened. */
export interface Transfer {
  file: File;
  /** Sends the missing bytes, restarting a transfer in progress. */
  start(): void;
  stop(): void;
  /** Stops, and deletes the upload on the server. */
  discard(): void;
}

export interface TransferEvents {
  onProgress(bytesSent: number): void;
  onPause(pauseReason: PauseReason): void;
  /** @param storedFile null for a chat, which is not stored for good */
  onSuccess(storedFile: StoredFile | null): void;
  onFailure(failure: UploadFailure): void;
}

export interface UploadTask {
  subscribe(listener: () => void): () => void;
  getSnapshot(): UploadSnapshot;
  pause(): void;
  resume(): void;
  /**
   * Continues at once an upload that waits or has failed in a resumable way, for example when the connection
   * returns.
   */
  goOn(): void;
  cancel(): void;
}

const transitions: Record<UploadState, Partial<Record<UploadEvent, UploadState>>> = {
  running: { pause: 'paused', cancel: 'canceled', succeed: 'success', fail: 'error' },
  paused: { resume: 'running', cancel: 'canceled', fail: 'error' },
  error: { resume: 'running', cancel: 'canceled' },
  success: {},
  canceled: {},
};

/** Starts an upload. Calls and events that have no transition in the current state are ignored. */
export function startUpload(
  open: (events: TransferEvents) => Promise<Transfer | UploadFailure>,
): UploadTask {
  const listeners = new Set<() => void>();
  let transfer: Transfer | undefined;
  let snapshot: UploadSnapshot = {
    state: 'running',
    file: null,
    bytesSent: 0,
    pauseReason: null,
    storedFile: null,
    failure: null,
  };

  const change = (part: Partial<UploadSnapshot>) => {
    snapshot = { ...snapshot, ...part };
    for (const listener of listeners) listener();
  };
  const changeRunning = (part: Partial<UploadSnapshot>) =>
    snapshot.state === 'running' && change(part);
  const go = (event: UploadEvent, part: Partial<UploadSnapshot> = {}): boolean => {
    const state = transitions[snapshot.state][event];
    if (state) change({ pauseReason: null, failure: null, ...part, state });
    return state !== undefined;
  };

  const opening = open({
    onProgress: (bytesSent) => changeRunning({ bytesSent, pauseReason: null }),
    onPause: (pauseReason) => changeRunning({ pauseReason }),
    onSuccess: (storedFile) =>
      go('succeed', { storedFile, bytesSent: snapshot.file?.size ?? snapshot.bytesSent }),
    onFailure: (failure) => go('fail', { failure }),
  });
  opening.then(
    (opened) => {
      if ('message' in opened) {
        // As specified, upload errors are written to the console.
        console.error(opened.message);
        go('fail', { failure: opened });
      } else if (snapshot.state !== 'canceled') {
        transfer = opened;
        change({ file: opened.file });
        if (snapshot.state === 'running') transfer.start();
      }
    },
    // The upload scripts failed to load: the browser is offline, or the page was opened before an update of the site.
    // There is nothing to resume.
    (error) => {
      console.error(error);
      go('fail', {
        failure: {
          message:
            'No se pudo cargar lo necesario para subir archivos. Comprueba la conexión y recarga la página.',
          canResume: false,
        },
      });
    },
  );

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    pause: () => go('pause') && transfer?.stop(),
    resume: () => go('resume') && transfer?.start(),
    goOn() {
      if (snapshot.failure?.canResume) go('resume');
      if (snapshot.state === 'running') transfer?.start();
    },
    cancel() {
      // The server has already deleted an upload that it rejected.
      const isRejected = snapshot.failure?.canResume === false;
      if (go('cancel') && !isRejected) transfer?.discard();
    },
  };
}
