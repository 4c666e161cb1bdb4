import type { ReactNode } from 'react';
import type { Mention } from '../../../shared/comments.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import styles from './comment-text.module.css';
import { parseText, type TextPart } from './parse-text.ts';

interface CommentTextProps {
  text: string;
  mentions?: Mention[];
  className?: string | undefined;
  /** Shows the text as a preview that skips leading quotations, unless it contains only quotations. */
  isBeginning?: boolean;
}

/**
 * User text with its line breaks and quotations. Web addresses become links with `rel="nofollow ugc noopener"`,
 * mentions become links to the person's page.
 */
export function CommentText({ text, mentions, className = '', isBeginning }: CommentTextProps) {
  const blocks = parseText(text, mentions);
  const first = isBeginning ? blocks.findIndex(({ isQuote }) => !isQuote) : 0;
  return (
    // The key creates a new element when the text changes, which discards changes by the browser such as a
    // translation.
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

/** Renders part of a text. Plain text, the most frequent kind, needs no element. */
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
