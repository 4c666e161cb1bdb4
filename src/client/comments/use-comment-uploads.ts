import { useRef, useState } from 'react';
import { limits } from '../../shared/limits.ts';
import type { DraftStore } from './comment-draft.ts';

/** A file that is being uploaded. */
export interface PendingImage {
  key: number;
  file: File;
}

export interface CommentUploads {
  pending: PendingImage[];
  /** Whether more files were added last than a comment can have. */
  hasTooMany: boolean;
  add: (files: File[]) => void;
  remove: (image: PendingImage) => void;
}

/** The files that are being uploaded for a comment. */
export function useCommentUploads(draft: DraftStore): CommentUploads {
  const [pending, setPending] = useState<PendingImage[]>([]);
  const [hasTooMany, setTooMany] = useState(false);
  const keys = useRef(0);

  const add = (files: File[]) => {
    const room = limits.imagesPerComment - draft.read().images.length - pending.length;
    setTooMany(files.length > room);
    const added = files.slice(0, Math.max(0, room)).map((file) => {
      keys.current += 1;
      return { key: keys.current, file };
    });
    setPending((shown) => [...shown, ...added]);
  };
  const remove = ({ key }: PendingImage) =>
    setPending((shown) => shown.filter((image) => image.key !== key));

  return { pending, hasTooMany, add, remove };
}
