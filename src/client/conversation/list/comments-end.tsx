import type { MouseEvent } from 'react';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { commentAnchor, pageRoutes, withQuery } from '../../../shared/routes.ts';
import { useEntryState } from '../../router/entry-state.ts';
import { isPlainClick } from '../../router/navigation.tsx';
import { countLater } from '../../state/comment-span.ts';
import type { ChannelState } from '../../state/state.ts';
import { MoreLink } from '../../ui/loading/more-link.tsx';
import buttons from '../../ui/styles/button.module.css';
import { endAnchor } from './anchors.ts';
import styles from './comments-end.module.css';

interface CommentsEndProps {
  channel: ChannelState;
  /** Loads the page after the span. @returns its first comment */
  loadLater: () => Promise<Comment | undefined>;
}

/**
 * The area below the comments: a link that loads later ones, and a link back after the user's own comment was sent.
 */
export function CommentsEnd({ channel, loadLater }: CommentsEndProps) {
  const { _id, span } = channel;
  const after = span.last === null ? null : commentId(_id, span.last);
  const later = countLater(channel);
  // The server may have a comment that is not counted yet.
  const count = Math.max(1, later.count);
  const wayBack = useEntryState((state) => state.wayBack);
  return (
    <div id={endAnchor} className={`unprinted ${styles.end}`} tabIndex={-1}>
      {after && (
        <MoreLink
          key={after}
          href={withQuery(pageRoutes.channel(_id), { after })}
          label={later.isExact ? moreComments(count) : 'Ver los siguientes'}
          load={async () => {
            const first = await loadLater();
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
