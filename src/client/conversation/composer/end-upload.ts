import type { CommentFile } from '../../../shared/files.ts';
import { readDraft } from '../../storage/drafts.ts';
import { deleteLocalFiles } from '../../storage/local-files.ts';
import { type ComposerDraft, changeComposer, type DraftUpload } from './composer-draft.ts';

/** Replaces an upload by what was stored. */
export function finishUpload(
  draft: ComposerDraft,
  { key, isFile = false }: DraftUpload,
  stored: CommentFile,
): void {
  const { images, files, uploads } = readDraft(draft);
  // Another tab has finished or discarded this upload.
  if (!uploads.some((one) => one.key === key)) return;
  const isAdded = [...images, ...files].some(({ url }) => url === stored.url);
  changeComposer(draft, {
    images: isAdded || isFile ? images : [...images, { url: stored.url, alt: '' }],
    files: isAdded || !isFile ? files : [...files, stored],
    uploads: uploads.filter((one) => one.key !== key),
  });
  void deleteLocalFiles(key);
}

/** Removes an upload that is not stored. */
export function removeUpload(draft: ComposerDraft, { key }: DraftUpload): void {
  void deleteLocalFiles(key);
  changeComposer(draft, { uploads: readDraft(draft).uploads.filter((one) => one.key !== key) });
}
