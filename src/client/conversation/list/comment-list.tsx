import { Fragment, useCallback, useState } from 'react';
import { commentId } from '../../../shared/comment-id.ts';
import type { CommentRange } from '../../../shared/comment-range.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { Rsvp } from '../../../shared/events.ts';
import type { OwnDecision as Decision } from '../../../shared/moderation.ts';
import { commentAnchor, pageRoutes, withQuery } from '../../../shared/routes.ts';
import type { SubjectTask } from '../../moderation/subject-actions.ts';
import { OwnDecision } from '../../own-decisions/own-decision-part.ts';
import { hasNumbers, newestNumber } from '../../state/comment-span.ts';
import type { ChannelState } from '../../state/state.ts';
import { useUser } from '../../state/store-provider.tsx';
import { accountPart } from '../../ui/loading/lazy-part.tsx';
import { MoreLink } from '../../ui/loading/more-link.tsx';
import { CommentItem } from '../item/comment-item.tsx';
import type { OpenCommentMenu } from '../item/comment-menu.tsx';
import { unreadAnchor } from './anchors.ts';
import styles from './comment-list.module.css';
import type { Marks } from './own-marks.tsx';

const OwnMarks = accountPart((parts) => parts.OwnMarks, { isQuiet: true });

const noMarks: Marks = {
  Tools: null,
  EventTools: null,
  PollTools: null,
  thanked: new Set(),
  rsvps: new Map(),
  votes: null,
  edited: undefined,
  selected: null,
  hidden: new Map(),
};

/** Always the same, so that a comment without answers is not rendered again. */
const noRsvps: readonly Rsvp[] = [];

interface CommentListProps {
  channel: ChannelState;
  /** The range in the address. */
  range: CommentRange;
  /** Number of the first unread comment, and the text of the line above it. */
  unread: { number: number | undefined; text: string } | null;
  /** Loads the page before the span. @returns its last comment */
  loadEarlier: () => Promise<Comment | undefined>;
}

/** The loaded comments, below a link that loads earlier ones. */
export function CommentList({ channel, range, unread, loadEarlier }: CommentListProps) {
  const { _id, span, comments } = channel;
  const hasEarlier = span.first > 1;
  const before = commentId(_id, span.first);
  // Read once here, not in each of thousands of comments.
  const { isLogged, id } = useUser();
  const userId = isLogged ? id : null;
  const [marks, setMarks] = useState(noMarks);
  const { Tools, EventTools, PollTools, ...own } = userId ? marks : noMarks;
  const { thanked, rsvps, votes, edited, selected, hidden } = own;
  const [menu, setMenu] = useState<OpenCommentMenu | null>(null);
  const { tasks, setTask } = useTasks(userId);
  const ownMarks = userId && <OwnMarks userId={userId} channel={channel} onChange={setMarks} />;
  if (comments.length === 0 && hidden.size === 0 && span.last === null && !hasEarlier) {
    return (
      <>
        {ownMarks}
        <p className={styles.none}>Aún no hay comentarios</p>
      </>
    );
  }
  return (
    <>
      {ownMarks}
      {hasEarlier && (
        <div className={`unprinted ${styles.earlier}`}>
          {/* The key resets the busy state when the link leads to another page. */}
          <MoreLink
            key={before}
            href={withQuery(pageRoutes.channel(_id), { before })}
            label="Anteriores"
            load={async () => {
              const last = await loadEarlier();
              return () => last && document.getElementById(commentAnchor(last.number));
            }}
          />
        </div>
      )}
      <ol className={styles.list}>
        {itemsOf(channel, range, hidden).map((item, index, items) =>
          typeof item === 'number' ? (
            <Removed key={item} number={item} decision={hidden.get(item)} />
          ) : (
            <Fragment key={item.number}>
              {unread?.number === item.number && (
                <li id={unreadAnchor} className={`unprinted ${styles.unread}`} tabIndex={-1}>
                  <span>{unread.text}</span>
                </li>
              )}
              <CommentItem
                comment={item}
                isBelowOriginal={item.replyTo !== null && isComment(items[index - 1], item.replyTo)}
                userId={userId}
                Tools={Tools}
                EventTools={EventTools}
                PollTools={PollTools}
                vote={votes ? (votes.get(item.number) ?? null) : undefined}
                rsvps={rsvps.get(item.number) ?? noRsvps}
                isThanked={thanked.has(item.number)}
                isEdited={edited === item.number}
                isSelected={selected === item.number}
                isClosed={channel.closedAt !== null}
                // A comment that left the page with its menu open comes back without it.
                menu={menu?.number === item.number && menu.opener.isConnected ? menu : null}
                onMenu={setMenu}
                task={tasks[item.number]}
                onTask={setTask}
              />
            </Fragment>
          ),
        )}
      </ol>
    </>
  );
}

/**
 * The tasks whose panels are open, by the numbers of their comments. Opening one closes no other, in which something may
 * be typed; none stays for another account, or for a guest after signing out.
 */
function useTasks(userId: string | null) {
  const [opened, setOpened] = useState<Opened>({ userId, tasks: {} });
  const setTask = useCallback(
    (number: number, task?: SubjectTask) =>
      setOpened((before) => ({
        userId,
        tasks: { ...(before.userId === userId && before.tasks), [number]: task },
      })),
    [userId],
  );
  return { tasks: opened.userId === userId ? opened.tasks : {}, setTask };
}

interface Opened {
  userId: string | null;
  tasks: Record<number, SubjectTask | undefined>;
}

/** Stands in for a removed comment. If moderators hid the reader's own comment, it shows the decision. */
function Removed({ number, decision }: { number: number; decision: Decision | undefined }) {
  return (
    <li
      className={decision ? `unprinted ${styles.hidden}` : styles.removed}
      id={commentAnchor(number)}
      tabIndex={-1}
    >
      {decision ? <OwnDecision decision={decision} /> : 'Ese comentario ya no está.'}
    </li>
  );
}

/**
 * The comments and the numbers of missing ones: the user's own hidden comments and, when the range is around ten
 * numbers, removed comments among these. The latter become notes that CSS hides unless a link leads to them, since
 * the page is the same for all ten numbers.
 */
function itemsOf(
  channel: ChannelState,
  { around }: CommentRange,
  hidden: ReadonlyMap<number, Decision>,
): (Comment | number)[] {
  const { comments } = channel;
  if (around === undefined && hidden.size === 0) return comments;
  const known = new Set(comments.map(({ number }) => number));
  const length = around === 1 ? 9 : 10;
  const ten = around === undefined ? [] : Array.from({ length }, (_, index) => around + index);
  const newest = newestNumber(channel);
  const missing = [...new Set([...ten, ...hidden.keys()])].filter(
    (number) => !known.has(number) && (hasNumbers(channel, number) || number > newest),
  );
  if (missing.length === 0) return comments;
  const numberOf = (item: Comment | number) => (typeof item === 'number' ? item : item.number);
  return [...comments, ...missing].sort((a, b) => numberOf(a) - numberOf(b));
}

const isComment = (item: Comment | number | undefined, number: number) =>
  typeof item === 'object' && item.number === number;
