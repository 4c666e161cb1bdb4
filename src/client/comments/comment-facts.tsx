import { Fragment, useState } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { lazyPart } from '../components/lazy-part.tsx';
import { texts } from '../texts.ts';
import styles from './comment-item.module.css';
import { readingTexts } from './reading-texts.ts';

const ReplyList = lazyPart(async () => (await import('./reply-list.tsx')).ReplyList);

/** Who gave thanks for a comment, and how many replies it has. */
export function CommentFacts({ comment }: { comment: Comment }) {
  const { thanks, replyCount, autor } = comment;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className={styles.facts}>
        {thanks.count > 0 && (
          <p>
            {readingTexts.thanksFrom} <Names {...thanks} />
          </p>
        )}
        {replyCount > 0 && (
          <button
            type="button"
            className={styles.replies}
            aria-expanded={isOpen}
            aria-label={texts.repliesTo(replyCount, autor)}
            onClick={() => setOpen(!isOpen)}
          >
            {texts.replyCount(replyCount)}
          </button>
        )}
      </div>
      {isOpen && replyCount > 0 && <ReplyList comment={comment} />}
    </>
  );
}

/** Such as 'Ana, Luis y 3 más'. */
function Names({ count, names }: Comment['thanks']) {
  const shown = names.slice(0, count > 3 ? 2 : 3);
  const rest = count - shown.length;
  const last = shown.length - 1;
  const joint = (index: number, name: string) =>
    index === last && rest === 0 ? ` ${readingTexts.and(name)} ` : ', ';
  return (
    <>
      {shown.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two people may have the same name
        <Fragment key={index}>
          {index > 0 && joint(index, name)}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {rest > 0 && (shown.length > 0 ? ` y ${rest} más` : readingTexts.people(rest))}
    </>
  );
}
