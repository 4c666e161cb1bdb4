import type { MouseEvent } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { pageRoutes, replyLink } from '../../../shared/routes.ts';
import { go, isPlainClick, Link } from '../../router/navigation.tsx';
import { withNext } from '../../router/next-page.ts';
import { useStore } from '../../state/store-provider.tsx';
import { GuestMenu } from '../../ui/guest-menu.tsx';
import { texts } from '../../ui/texts.ts';
import { aboutComment } from './about-comment.ts';
import styles from './comment-tools.module.css';

interface GuestToolsProps {
  comment: Comment;
  isClosed: boolean;
  onReport: () => void;
}

/** The buttons of a guest on a comment. The link to reply leads to signing in, and from there back to the reply. */
export function GuestTools({ comment, isClosed, onReport }: GuestToolsProps) {
  const { channelId, number } = comment;
  const { getState } = useStore();
  const signIn = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    go(withNext(pageRoutes.login, replyLink(channelId, number)));
  };
  return (
    <div data-for="guest" className={`row ${styles.tools}`}>
      {!isClosed && (
        <Link
          className={`plain ${styles.tool}`}
          href={pageRoutes.login}
          aria-label={aboutComment(texts.reply, comment)}
          onClick={signIn}
        >
          {texts.reply}
        </Link>
      )}
      <GuestMenu
        className={styles.tool}
        label={aboutComment(texts.moreActions, comment)}
        onReport={onReport}
        onShare={async () => (await import('./share-comment.ts')).shareComment(comment, getState())}
      />
    </div>
  );
}
