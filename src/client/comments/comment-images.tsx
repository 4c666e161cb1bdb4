import type { CommentImage } from '../../shared/comments.ts';
import { commentImageSources } from '../components/image-sources.ts';
import styles from './comment-images.module.css';
import { readingTexts } from './reading-texts.ts';

/** The images of a comment, in boxes of a fixed shape, so that the page does not move when they load. */
export function CommentImages({ images }: { images: CommentImage[] }) {
  return (
    <ul className={styles.images} data-count={images.length}>
      {images.map(({ url, alt }, index) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener">
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
  );
}
