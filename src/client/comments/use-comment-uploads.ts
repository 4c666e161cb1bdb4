import { useEffect, useState } from 'react';
import { limits } from '../../shared/limits.ts';
import { newKey } from '../api/idempotent-request.ts';
import { useUser } from '../state/store-provider.tsx';
import { deleteLocalFile, readLocalFile, storeLocalFile } from '../uploads/local-files.ts';
import type { DraftStore, DraftUpload } from './comment-draft.ts';

/** An image that is being uploaded. */
export interface PendingImage extends DraftUpload {
  /** Null when the browser did not keep it while the page was closed. */
  file: File | null;
}

export interface CommentUploads {
  pending: PendingImage[];
  /** Whether more files were added last than a comment can have. */
  hasTooMany: boolean;
  add: (files: File[]) => void;
  remove: (image: PendingImage) => void;
  /** Removes all. */
  discard: () => void;
}

/**
 * The files that are being uploaded for a comment. They are listed in its draft and stored in
 * IndexedDB, so that they are uploaded after a reload too.
 * @param additions raised when another part of the page has added some to the draft
 */
export function useCommentUploads(draft: DraftStore, additions = 0): CommentUploads {
  const { id: userId } = useUser();
  const [pending, setPending] = useState<PendingImage[]>([]);
  const [hasTooMany, setTooMany] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: then the draft lists others
  useEffect(() => {
    let isCurrent = true;
    const readOne = async (one: DraftUpload) => ({ ...one, file: await readLocalFile(one.key) });
    Promise.all(draft.read().uploads.map(readOne)).then((found) => {
      if (!isCurrent) return;
      setPending((shown) => [
        ...shown,
        ...found.filter(({ key }) => !shown.some((one) => one.key === key)),
      ]);
    });
    return () => {
      isCurrent = false;
    };
  }, [draft, additions]);

  const add = (files: File[]) => {
    const { images, uploads } = draft.read();
    const room = limits.imagesPerComment - images.length - pending.length;
    setTooMany(files.length > room);
    const added = files.slice(0, Math.max(0, room)).map((file) => {
      const key = `${userId} comment ${newKey()}`;
      storeLocalFile(key, file);
      return { key, name: file.name, file };
    });
    draft.change({ uploads: [...uploads, ...added.map(({ key, name }) => ({ key, name }))] });
    setPending((shown) => [...shown, ...added]);
  };
  const remove = ({ key }: PendingImage) => {
    deleteLocalFile(key);
    draft.change({ uploads: draft.read().uploads.filter((one) => one.key !== key) });
    setPending((shown) => shown.filter((image) => image.key !== key));
  };
  const discard = () => pending.forEach(remove);

  return { pending, hasTooMany, add, remove, discard };
}
