import type { ReactNode } from 'react';
import type { CommentFile } from '../../../shared/files.ts';
import { sizeText } from '../../images/byte-texts.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './file-line.module.css';
import { isSound, kindText } from './kind-text.ts';

/** Paths of icons from the set Lucide. */
const icons = {
  paper:
    'M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v4a2 2 0 0 0 2 2h4M10 9H8M16 13H8M16 17H8',
  sound: 'M9 18V5l12-2v13M6 15a3 3 0 0 1 0 6 3 3 0 0 1 0-6M18 13a3 3 0 0 1 0 6 3 3 0 0 1 0-6',
};

interface FileLineProps {
  file: CommentFile;
  /** Whether its name is a link that downloads it. */
  isLinked?: boolean;
  /** Stands behind the kind and the size. */
  children?: ReactNode;
}

/** One file: its name, what it is, and its size. */
export function FileLine({ file, isLinked = true, children }: FileLineProps) {
  const { url, name, size, type } = file;
  return (
    <div className={styles.line}>
      <span className={styles.leaf}>
        <Icon size={22} path={icons[isSound(type) ? 'sound' : 'paper']} />
      </span>
      <div className={styles.about}>
        <p className={styles.name}>
          {isLinked ? (
            <a className="target" href={url}>
              <bdi>{name}</bdi>
            </a>
          ) : (
            <bdi>{name}</bdi>
          )}
        </p>
        <p className={`note ${styles.parts}`}>
          <span>{kindText(type)}</span>
          <span>{sizeText(size)}</span>
          {children}
        </p>
      </div>
    </div>
  );
}
