import { type ComponentType, memo, useEffect } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import type { Rsvp } from '../../../shared/events.ts';
import { commentAnchor, commentLink } from '../../../shared/routes.ts';
import { focusElement } from '../../dom/focus-element.ts';
import type { SubjectTask } from '../../moderation/subject-actions.ts';
import { SubjectPanel } from '../../moderation/subject-panel.tsx';
import { Link } from '../../router/navigation.tsx';
import { AutorLink, Avatar } from '../../ui/avatar.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { RoleBadge } from '../../ui/role-badge.tsx';
import { Time } from '../../ui/time/time.tsx';
import { CommentFiles, EventCard } from '../carried-part.ts';
import { composerSlot } from '../composer/composer-slot.ts';
import type { EventToolsProps } from '../events/event-tools.tsx';
import { FoldedText } from '../text/folded-text.tsx';
import { CommentImages } from './comment-images.tsx';
import styles from './comment-item.module.css';
import type { OpenCommentMenu } from './comment-menu.tsx';
import { CommentRow } from './comment-row.tsx';
import toolStyles from './comment-tools.module.css';
import type { CommentToolsProps } from './comment-tools.tsx';
import { GuestTools } from './guest-tools.tsx';
import { ReplyLine } from './reply-line.tsx';

const AnnouncementTools = lazyPart(
  async () => (await import('../announcements/announcement-tools.tsx')).AnnouncementTools,
  { isQuiet: true },
);

interface CommentItemProps {
  comment: Comment;
  /** Whether this comment replies to the comment directly above it. */
  isBelowOriginal: boolean;
  /** Id of the signed-in user; null for guests. */
  userId: string | null;
  /** The buttons of the signed-in user; null until their script is loaded. */
  Tools: ComponentType<CommentToolsProps> | null;
  /** Renders the answers and tools of a comment's dates. Null until the script of accounts is loaded. */
  EventTools: ComponentType<EventToolsProps> | null;
  /** The signed-in user's answers to the dates of the comment. */
  rsvps: readonly Rsvp[];
  /** Whether the signed-in user gave thanks for the comment. */
  isThanked: boolean;
  /** Whether the signed-in user is editing the comment, so that its text is in the composer. */
  isEdited: boolean;
  /** Whether part of the comment is selected, so that the signed-in user may quote it. */
  isSelected: boolean;
  isClosed: boolean;
  /** The menu of this comment; null while it is closed. */
  menu: OpenCommentMenu | null;
  /** Opens the menu of a comment, or closes it. */
  onMenu: (menu: OpenCommentMenu | null) => void;
  /** The task whose panel is open; undefined without a panel. */
  task: SubjectTask | undefined;
  /** Opens the panel of a task on a comment, or closes its panel. */
  onTask: (number: number, task?: SubjectTask) => void;
}

export const CommentItem = memo(function CommentItem({
  comment,
  isBelowOriginal,
  userId,
  Tools,
  EventTools,
  rsvps,
  isThanked,
  isEdited,
  isSelected,
  isClosed,
  menu,
  onMenu,
  task,
  onTask,
}: CommentItemProps) {
  const { channelId, number, autor, autorImg, autorImported, createdAt, editedAt } = comment;
  const tools = { comment, isClosed, menu, onMenu, onTask };
  return (
    <li className={styles.comment} id={commentAnchor(number)} tabIndex={-1}>
      {!autorImported && <Avatar img={autorImg} size={42} />}
      <div className={styles.body}>
        <p className={styles.byline}>
          <AutorLink
            className={`plain ${styles.autor}`}
            id={comment.autorId}
            name={autor}
            isImported={autorImported}
          />{' '}
          <RoleBadge role={comment.autorRole} />{' '}
          {comment.announcement && <span className="badge">Comunicado</span>}{' '}
          <Link className={`plain ${styles.time}`} href={commentLink(channelId, number)}>
            <Time iso={createdAt} form="day" />
          </Link>{' '}
          {editedAt && (
            <span className={styles.edited}>
              editado <Time iso={editedAt} />
            </span>
          )}
        </p>
        {comment.replyTo !== null && (
          <ReplyLine
            href={commentLink(channelId, comment.replyTo)}
            autor={comment.replyAutor}
            excerpt={isBelowOriginal ? '' : comment.replyExcerpt}
          />
        )}
        {!isEdited && (
          <>
            <FoldedText number={number} text={comment.comment} mentions={comment.mentions} />
            {comment.images.length > 0 && <CommentImages images={comment.images} />}
          </>
        )}
        {comment.files.length > 0 && <CommentFiles files={comment.files} />}
        {comment.event && (
          <EventCard comment={comment} event={comment.event} rsvps={rsvps} Tools={EventTools} />
        )}
        {userId && comment.announcement && (
          <AnnouncementTools comment={comment} announcement={comment.announcement} />
        )}
        <CommentRow comment={comment} isThanked={isThanked}>
          {userId ? (
            <>
              {Tools && (
                <Tools
                  {...tools}
                  userId={userId}
                  isThanked={isThanked}
                  isEdited={isEdited}
                  isSelected={isSelected}
                />
              )}
              <div className={toolStyles.slot} {...{ [composerSlot]: '' }} />
            </>
          ) : (
            <GuestTools {...tools} />
          )}
        </CommentRow>
        {task && <TaskPanel comment={comment} task={task} onTask={onTask} />}
      </div>
    </li>
  );
});

/** The open panel of a task. A comment that leaves the page leaves it behind: what was typed there would be gone. */
function TaskPanel({
  comment: { id, number, autor },
  task,
  onTask,
}: Pick<CommentItemProps, 'comment' | 'onTask'> & { task: SubjectTask }) {
  useEffect(() => () => onTask(number), [number, onTask]);
  return (
    <SubjectPanel
      task={task}
      name={autor}
      subject={{ kind: 'comment', id }}
      onEnd={() => {
        onTask(number);
        focusElement(commentAnchor(number));
      }}
    />
  );
}
