import type { Comment } from '../../../shared/comments.ts';
import { readingTexts } from '../reading-texts.ts';

export interface Announcement {
  id: string;
  text: string;
}

/** Time between announcements, so that screen readers do not fall behind. */
const restMs = 3_000;

/** Announces new comments: a single one by its author, several in a short time by their number. */
export function createAnnouncer(show: (announcement: Announcement) => void) {
  let unsaid: Comment[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = () => {
    timer = undefined;
    const [first] = unsaid;
    if (!first) return;
    const one = unsaid.length === 1;
    show({
      id: first.id,
      text: one ? `Nuevo comentario de ${first.autor}` : readingTexts.newComments(unsaid.length),
    });
    unsaid = [];
    timer = setTimeout(say, restMs);
  };
  return {
    announce(comment: Comment): void {
      unsaid.push(comment);
      if (timer === undefined) say();
    },
    stop: () => clearTimeout(timer),
  };
}
