import { findLinks } from './find-links.ts';
import styles from './linked-text.module.css';

/** What a person wrote: line breaks stay, and web addresses become links that vouch for nothing. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
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
