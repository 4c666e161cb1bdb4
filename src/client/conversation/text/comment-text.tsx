import type { ReactNode } from 'react';
import type { Mention } from '../../../shared/comments.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { Link } from '../../dom/navigation.tsx';
import styles from './comment-text.module.css';
import { parseText, type TextPart } from './parse-text.ts';

interface CommentTextProps {
  text: string;
  mentions?: Mention[];
  className?: string | undefined;
  /** Whether only the beginning is shown: it begins after what the text quotes first, unless it only quotes. */
  isBeginning?: boolean;
}

/**
 * User text with its line breaks and quotes. Web addresses become links with
 * `rel="nofollow ugc noopener"`, mentions links to the page of the person.
 */
export function CommentText({ text, mentions, className = '', isBeginning }: CommentTextProps) {
  const blocks = parseText(text, mentions);
  const first = isBeginning ? blocks.findIndex(({ isQuote }) => !isQuote) : 0;
  return (
    // The key makes another text a new element: what a browser has put into the old one goes with it.
    <div key={text + JSON.stringify(mentions)} className={`${styles.text} ${className}`}>
      {blocks.slice(Math.max(0, first)).map(({ isQuote, parts }, index) => {
        const Block = isQuote ? 'blockquote' : 'p';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text are never reordered
          <Block key={index} className={isQuote ? 'quoted' : undefined} dir="auto">
            {parts.map(renderPart)}
          </Block>
        );
      })}
    </div>
  );
}

/** Renders a part of a text. Plain text, the most frequent kind, needs no element. */
function renderPart(part: TextPart, index: number): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'link':
      return (
        <a key={index} href={part.text} rel="nofollow ugc noopener">
          {part.text}
        </a>
      );
    case 'mention':
      return (
        <Link key={index} href={pageRoutes.user(part.accountId)}>
          <bdi>{part.text}</bdi>
        </Link>
      );
    default:
      return part satisfies never;
  }
}
