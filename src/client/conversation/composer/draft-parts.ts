import { lazyPart } from '../../ui/loading/lazy-part.tsx';

/** The images of a comment that is being written. Few comments have any. */
export const DraftImages = lazyPart(async () => (await import('./draft-images.tsx')).DraftImages);

/** Its other files. */
export const DraftFiles = lazyPart(async () => (await import('./draft-files.tsx')).DraftFiles);
