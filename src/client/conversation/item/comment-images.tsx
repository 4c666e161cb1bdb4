import { type MouseEvent, useRef, useState } from 'react';
import type { CommentImage } from '../../../shared/comments.ts';
import { isPlainClick } from '../../router/navigation.tsx';
import { commentImageSources } from '../../ui/image-sources.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { readingTexts } from '../reading-texts.ts';
import styles from './comment-images.module.css';

const ImageViewer = lazyPart(async () => (await import('./image-viewer.tsx')).ImageViewer);

/** A comment's images, in boxes of a fixed shape, so that the page does not move while they load. */
export function CommentImages({ images }: { images: CommentImage[] }) {
  const [opened, setOpened] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const open = async (event: MouseEvent<HTMLAnchorElement>, index: number) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    try {
      await ImageViewer.load();
      setOpened(index);
    } catch {
      // The script failed to load: open the image itself, unless the page was left in the meantime.
      if (list.current) location.assign(href);
    }
  };
  return (
    <>
      <ul ref={list} className={styles.images} data-count={images.length}>
        {images.map(({ url, alt }, index) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noopener" onClick={(event) => open(event, index)}>
              <img
                {...commentImageSources(url, images.length)}
                className={styles.image}
                width={500}
                height={375}
                alt={alt || readingTexts.imageOf(index + 1, images.length)}
                loading="lazy"
                decoding="async"
              />
            </a>
          </li>
        ))}
      </ul>
      {opened !== null && (
        <ImageViewer images={images} first={opened} onClosed={() => setOpened(null)} />
      )}
    </>
  );
}
