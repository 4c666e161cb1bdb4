import type { Comment } from '../../../shared/comments.ts';
import { pageRoutes, replyLink } from '../../../shared/routes.ts';
import type { SubjectTask } from '../../moderation/subject-actions.ts';
import { withNext } from '../../router/next-page.ts';
import { keepReplyName } from '../../session/reply-name.ts';
import { useStore } from '../../state/store-provider.tsx';
import { texts } from '../../ui/texts.ts';
import { aboutComment } from './about-comment.ts';
import { CommentMenu, type OpenCommentMenu } from './comment-menu.tsx';
import styles from './comment-tools.module.css';

interface GuestToolsProps {
  comment: Comment;
  isClosed: boolean;
  menu: OpenCommentMenu | null;
  onMenu: (menu: OpenCommentMenu | null) => void;
  onTask: (number: number, task: SubjectTask) => void;
}

/**
 * The buttons of a guest on a comment. The link to reply leads to signing in, and from there back to the reply. The
 * browser follows it as it is, since the script of the page for signing in would be waited for.
 */
export function GuestTools({ comment, isClosed, menu, onMenu, onTask }: GuestToolsProps) {
  const { channelId, number } = comment;
  const { getState, site } = useStore();
  const share = async () => (await import('./share-comment.ts')).shareComment(comment, getState());
  return (
    <div data-for="guest" className={`row ${styles.tools}`}>
      {!isClosed && (
        <a
          className={`plain ${styles.tool}`}
          href={pageRoutes.login}
          aria-label={aboutComment(texts.reply, comment)}
          onClick={({ currentTarget }) => {
            const next = replyLink(channelId, number);
            currentTarget.href = withNext(pageRoutes.login, next);
            keepReplyName(next, comment.autor);
          }}
        >
          {texts.reply}
        </a>
      )}
      {/* Where only members read, a tab without a session may read by the browser's cookie, but cannot report. */}
      {site.readers === 'everyone' && (
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
