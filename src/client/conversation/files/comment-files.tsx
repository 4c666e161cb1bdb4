import type { CommentFile } from '../../../shared/files.ts';
import styles from './comment-files.module.css';
import { FileLine } from './file-line.tsx';
import { isSound } from './kind-text.ts';

/** The files of a comment, each a link that downloads it. Sound has a player as well. */
export function CommentFiles({ files }: { files: CommentFile[] }) {
  return (
    <ul className={styles.files} aria-label="Archivos">
      {files.map((file) => (
        <li key={file.url}>
          <FileLine file={file} />
          {isSound(file.type) && (
            // biome-ignore lint/a11y/useMediaCaption: nobody has written captions for it
            <audio
              className={`unprinted ${styles.player}`}
              controls
              preload="none"
              src={file.url}
              aria-label={file.name}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
