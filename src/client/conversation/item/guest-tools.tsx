import type { MouseEvent } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { pageRoutes, replyLink } from '../../../shared/routes.ts';
import type { SubjectTask } from '../../moderation/subject-actions.ts';
import { go, isPlainClick, Link } from '../../router/navigation.tsx';
import { withNext } from '../../router/next-page.ts';
import { useStore } from '../../state/store-provider.tsx';
import { texts } from '../../ui/texts.ts';
import { aboutComment } from './about-comment.ts';
import { CommentMenu, type OpenCommentMenu } from './comment-menu.tsx';
import styles from './comment-tools.module.css';

interface GuestToolsProps {
  comment: Comment;
  isClosed: boolean;
  hasMenu: boolean;
  menu: OpenCommentMenu | null;
  onMenu: (menu: OpenCommentMenu | null) => void;
  onTask: (number: number, task: SubjectTask) => void;
}

/** The buttons of a guest on a comment. The link to reply leads to signing in, and from there back to the reply. */
export function GuestTools({ comment, isClosed, hasMenu, menu, onMenu, onTask }: GuestToolsProps) {
  const { channelId, number } = comment;
  const { getState } = useStore();
  const signIn = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    go(withNext(pageRoutes.login, replyLink(channelId, number)));
  };
  const share = async () => (await import('./share-comment.ts')).shareComment(comment, getState());
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
      {hasMenu && (
        <div data-scripted="">
          <CommentMenu
            comment={comment}
            menu={menu}
            onMenu={onMenu}
            actions={() => [
              { label: texts.share, run: share },
              { label: texts.report, run: () => onTask(number, 'report') },
            ]}
          />
        </div>
      )}
    </div>
  );
}
