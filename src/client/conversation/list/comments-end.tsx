import type { MouseEvent } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { commentAnchor, pageRoutes, withQuery } from '../../../shared/routes.ts';
import { useEntryState } from '../../dom/entry-state.ts';
import { isPlainClick } from '../../dom/navigation.tsx';
import { countLater } from '../../state/loaded-comments.ts';
import type { ChannelState } from '../../state/state.ts';
import { MoreLink } from '../../ui/loading/more-link.tsx';
import buttons from '../../ui/styles/button.module.css';
import styles from './comments-end.module.css';

/** Id of the line above the first unread comment. */
export const unreadAnchor = 'nuevo';
/** Id of the element between the comments and the form. */
export const endAnchor = 'ultimo';

interface CommentsEndProps {
  channel: ChannelState;
  /** @returns the first comment after a cursor */
  loadLater: (after: string) => Promise<Comment | undefined>;
}

/**
 * The area below the comments: a link that loads later ones, and a link back after the user's own comment was sent.
 */
export function CommentsEnd({ channel, loadLater }: CommentsEndProps) {
  const { _id, moreAfter } = channel;
  const later = countLater(channel);
  // The server may have a comment that is not counted yet.
  const count = Math.max(1, later.count);
  const wayBack = useEntryState((state) => state.wayBack);
  return (
    <div id={endAnchor} className={`unprinted ${styles.end}`} tabIndex={-1}>
      {moreAfter && (
        <MoreLink
          key={moreAfter}
          href={withQuery(pageRoutes.channel(_id), { after: moreAfter })}
          label={later.isExact ? moreComments(count) : 'Ver los siguientes'}
          load={async () => {
            const first = await loadLater(moreAfter);
            return () => first && document.getElementById(commentAnchor(first.number));
          }}
        />
      )}
      {wayBack && (
        <a className={buttons.quiet} href={wayBack} onClick={goBack}>
          Volver a donde estabas
        </a>
      )}
    </div>
  );
}

/** Goes back in the history, since that entry has the range and the scroll position. */
function goBack(event: MouseEvent): void {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  history.back();
}

function moreComments(count: number): string {
  return count === 1 ? 'Ver 1 comentario más' : `Ver ${numberText(count)} comentarios más`;
}
