import type { Comment } from '../../../shared/comments.ts';
import { commentLink } from '../../../shared/routes.ts';
import type { AppState } from '../../state/state.ts';
import { shareLink } from '../../ui/status/share.ts';

export const shareComment = (
  { channelId, number, autor }: Comment,
  { channels }: Pick<AppState, 'channels'>,
) => {
  const { name = '' } = channels.get(channelId) ?? {};
  const text = `Comentario de ${autor} en «${name}»`;
  return shareLink(commentLink(channelId, number), { title: name, text });
};
