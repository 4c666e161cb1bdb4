import type { Dispatch } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { commentAnchor } from '../../../shared/routes.ts';
import { request } from '../../api/request.ts';
import { focusElement } from '../../dom/focus-element.ts';
import type { Action } from '../../state/actions.ts';
import { withStatus } from '../../ui/status/with-status.ts';
import * as calls from '../change-comment-calls.ts';

/** Deletes the user's own comment and offers to undo it. */
export const deleteComment = (comment: Comment, dispatch: Dispatch<Action>): Promise<boolean> =>
  withStatus('No se pudo eliminar el comentario.', async () => {
    const { channelId, number } = comment;
    await request(calls.deleteComment, comment);
    dispatch({ type: 'COMMENT_REMOVED', channelId, number });
    const run = () => restoreComment(comment, dispatch);
    return { text: 'Comentario eliminado', action: { label: 'Deshacer', run } };
  });

/** Restores the user's own comment. @returns whether that succeeded */
export const restoreComment = (comment: Comment, dispatch: Dispatch<Action>): Promise<boolean> =>
  withStatus('No se pudo recuperar el comentario.', async () => {
    dispatch({ type: 'COMMENT_CHANGED', comment: await request(calls.restoreComment, comment) });
    focusElement(commentAnchor(comment.number));
    return { text: 'Comentario recuperado' };
  });
