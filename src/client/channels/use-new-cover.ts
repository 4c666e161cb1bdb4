import { useState } from 'react';
import { useImageUpload } from '../uploads/use-image-upload.ts';
import type { Cover } from './use-cover.ts';

/** A cover that replaces the one of a channel. Unlike that of a new channel, it is not stored. */
export function useNewCover(): Cover {
  const [file, setFile] = useState<File | null>(null);
  const [url, setUrl] = useState<string | null>(null);
  const upload = useImageUpload('cover', setUrl);
  const shown = file && upload.status !== 'canceled';
  return {
    url: shown ? url : null,
    shown: shown ? { file, bytes: (upload.file ?? file).size, isUploaded: url !== null } : null,
    upload,
    take(taken) {
      setFile(taken);
      setUrl(null);
      upload.start(taken);
    },
    uploadAgain: async () => null,
  };
}
