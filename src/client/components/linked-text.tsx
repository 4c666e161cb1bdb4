import { findLinks } from './find-links.ts';
import styles from './linked-text.module.css';

/** User text with its line breaks. Web addresses become links with `rel="nofollow ugc noopener"`. */
export function LinkedText({
  text,
  className = '',
}: {
  text: string;
  className?: string | undefined;
}) {
  return (
    <p className={`${styles.text} ${className}`} dir="auto">
      {findLinks(text).map((part, index) =>
        part.isLink ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are never reordered
          <a key={index} href={part.text} rel="nofollow ugc noopener">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
