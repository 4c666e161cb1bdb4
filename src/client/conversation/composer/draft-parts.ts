import { preloadUploader } from '../../images/upload/load-uploader.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

/** The images of a comment that is being written. Few comments have any. */
export const DraftImages = lazyPart(async () => (await import('./draft-images.tsx')).DraftImages);

/** Its other files. */
export const DraftFiles = lazyPart(async () => (await import('./draft-files.tsx')).DraftFiles);

/** Preloads what takes images and files once they are chosen. */
export function preloadUploads(): void {
  for (const part of [DraftImages, DraftFiles]) part.load().catch(() => {});
  preloadUploader();
}
