import { Fragment, type ReactNode, useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { useUser } from '../../state/store-provider.tsx';
import icons from '../../ui/icons.module.css';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { texts } from '../../ui/texts.ts';
import { readingTexts } from '../reading-texts.ts';
import styles from './comment-item.module.css';
import { withoutFirst } from './without-first.ts';

const ReplyList = lazyPart(async () => (await import('./reply-list.tsx')).ReplyList);
const ThanksList = lazyPart(async () => (await import('./thanks-list.tsx')).ThanksList);

interface CommentRowProps {
  comment: Comment;
  /** Whether the signed-in user gave thanks for the comment. */
  isThanked: boolean;
  /** The buttons of a signed-in user, and the composer's slot. */
  children: ReactNode;
}

/** The line below a comment: buttons that open the lists of thanks and replies, and the user's buttons. */
export function CommentRow({ comment, isThanked, children }: CommentRowProps) {
  const { thanks, replyCount, autor } = comment;
  const [opened, setOpened] = useState<'thanks' | 'replies' | null>(null);
  const [count, word] = texts.replyCount(replyCount).split(' ');
  const toggle = (list: 'thanks' | 'replies') => setOpened(opened === list ? null : list);
  return (
    <>
      <div className={`row unprinted ${styles.row}`}>
        {thanks.count > 0 && (
          <button
            type="button"
            className={`bare ${styles.thanks}`}
            data-count={numberText(thanks.count)}
            aria-expanded={opened === 'thanks'}
            onClick={() => toggle('thanks')}
          >
            <span className={styles.word}>
              <span>{isThanked ? 'Gracias: ' : 'Gracias de '}</span>
              <Names {...thanks} isThanked={isThanked} />
            </span>
          </button>
        )}
        {replyCount > 0 && (
          <button
            type="button"
            className={`bare ${icons.bubble} ${styles.replies}`}
            aria-expanded={opened === 'replies'}
            aria-label={texts.repliesTo(replyCount, autor)}
            onClick={() => toggle('replies')}
          >
            <span>
              <span>{count}</span>
              <span className={styles.word}> {word}</span>
            </span>
          </button>
        )}
        {children}
      </div>
      {opened === 'thanks' && thanks.count > 0 && <ThanksList comment={comment} />}
      {opened === 'replies' && replyCount > 0 && <ReplyList comment={comment} />}
    </>
  );
}

/** For example 'Ana, Luis y 3 más'; the signed-in user comes first, as 'tú'. */
function Names({ count, names, isThanked }: Comment['thanks'] & { isThanked: boolean }) {
  const { name: own } = useUser();
  const all = isThanked ? [readingTexts.you, ...withoutFirst(names, own)] : names;
  const shown = all.slice(0, count > 3 ? 2 : Math.min(3, count));
  const rest = count - shown.length;
  const last = shown.length - 1;
  const joint = (index: number, name: string) =>
    index === last && rest === 0 ? ` ${readingTexts.and(name)} ` : ', ';
  return (
    <>
      {shown.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two people may have the same name
        <Fragment key={index}>
          {index > 0 && <span>{joint(index, name)}</span>}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {rest > 0 && <span>{shown.length > 0 ? ` y ${rest} más` : people(rest)}</span>}
    </>
  );
}

function people(count: number): string {
  return count === 1 ? '1 persona' : `${numberText(count)} personas`;
}
