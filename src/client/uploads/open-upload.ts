import type { ImageUse } from '../../shared/images.ts';
import { prepareImage } from './prepare-image.ts';
import { openTusTransfer } from './tus-transfer.ts';
import type { OpenedTransfer, TransferEvents, UploadFailure } from './upload-task.ts';

export interface UploadOrder {
  file: File;
  use: ImageUse;
  userId: string;
  maxMb: number;
}

/** Makes a chosen file ready and opens its way to the server. */
export async function openUpload(
  { file, use, userId, maxMb }: UploadOrder,
  events: TransferEvents,
): Promise<OpenedTransfer | UploadFailure> {
  const prepared = await prepareImage(file, maxMb);
  if ('refusal' in prepared) return { message: prepared.refusal, canResume: false };
  const transfer = await openTusTransfer(prepared.file, use, userId, events);
  return { transfer, file: prepared.file };
}
