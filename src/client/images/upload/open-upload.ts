import { prepareUpload } from '../prepare-upload.ts';
import { openTusTransfer } from './tus-transfer.ts';
import type { SentUse, Transfer, TransferEvents, UploadFailure } from './upload-task.ts';

export interface UploadRequest {
  file: File;
  use: SentUse;
  userId: string;
  maxMb: number;
}

/** Checks a chosen file, reduces an image, and opens a transfer for it. */
export async function openUpload(
  { file, use, userId, maxMb }: UploadRequest,
  events: TransferEvents,
): Promise<Transfer | UploadFailure> {
  const prepared = await prepareUpload(file, use, maxMb);
  if ('message' in prepared) return { message: prepared.message, canResume: false };
  return openTusTransfer(prepared.file, use, userId, events);
}
