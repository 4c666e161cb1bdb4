import type { StoredFile } from '../shared/images.ts';

/** The specification's states of an upload task. */
export type UploadState = 'running' | 'paused' | 'success' | 'canceled' | 'error';
type UploadEvent = 'pause' | 'resume' | 'cancel' | 'succeed' | 'fail';

interface UploadSnapshot {
  state: UploadState;
  bytesSent: number;
  bytesTotal: number;
  /** What the server stored; set in state `success` only. */
  storedFile: StoredFile | null;
  /** What to tell people; set in state `error` only. */
  failure: UploadFailure | null;
}

export interface UploadFailure {
  message: string;
  /** Whether going on may help: after a lost connection, but not after a refusal. */
  canResume: boolean;
}

/** The transport below a task, such as tus. It reports through the events it was opened with. */
export interface Transfer {
  start(): void;
  stop(): void;
  /** Stops, and has the server forget what it has. */
  discard(): void;
}

export interface TransferEvents {
  onProgress(bytesSent: number): void;
  onSuccess(storedFile: StoredFile): void;
  onFailure(failure: UploadFailure): void;
}

export interface UploadTask {
  subscribe(listener: () => void): () => void;
  getSnapshot(): UploadSnapshot;
  pause(): void;
  resume(): void;
  cancel(): void;
}

const transitions: Record<UploadState, Partial<Record<UploadEvent, UploadState>>> = {
  running: { pause: 'paused', cancel: 'canceled', succeed: 'success', fail: 'error' },
  paused: { resume: 'running', cancel: 'canceled' },
  error: { resume: 'running', cancel: 'canceled' },
  success: {},
  canceled: {},
};

/** Starts an upload. Events that make no sense in the present state change nothing. */
export function startUpload(
  bytesTotal: number,
  open: (events: TransferEvents) => Promise<Transfer>,
): UploadTask {
  const listeners = new Set<() => void>();
  let transfer: Transfer | undefined;
  let snapshot: UploadSnapshot = {
    state: 'running',
    bytesSent: 0,
    bytesTotal,
    storedFile: null,
    failure: null,
  };

  const change = (part: Partial<UploadSnapshot>) => {
    snapshot = { ...snapshot, ...part };
    for (const listener of listeners) listener();
  };
  const go = (event: UploadEvent, part: Partial<UploadSnapshot> = {}): boolean => {
    const state = transitions[snapshot.state][event];
    if (state) change({ failure: null, ...part, state });
    return state !== undefined;
  };

  const opening = open({
    onProgress: (bytesSent) => snapshot.state === 'running' && change({ bytesSent }),
    onSuccess: (storedFile) => go('succeed', { storedFile, bytesSent: bytesTotal }),
    onFailure: (failure) => go('fail', { failure }),
  });
  opening.then(
    (opened) => {
      transfer = opened;
      if (snapshot.state === 'running') opened.start();
    },
    // The transport itself could not be loaded; this task has nothing to go on with.
    (error: Error) => go('fail', { failure: { message: error.message, canResume: false } }),
  );

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    pause: () => go('pause') && transfer?.stop(),
    resume: () => go('resume') && transfer?.start(),
    cancel() {
      // What the server has refused it has forgotten already.
      const isRefused = snapshot.failure?.canResume === false;
      if (go('cancel') && !isRefused) transfer?.discard();
    },
  };
}
