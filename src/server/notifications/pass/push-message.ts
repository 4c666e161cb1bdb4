import { notificationKinds } from '../../../shared/notification-kinds.ts';
import { notificationsText } from '../../../shared/notification-texts.ts';
import type { AnyNotification } from '../../../shared/notifications.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import type { PushMessage } from '../../../shared/service-worker.ts';
import { wholeCharacters } from '../../../shared/whole-characters.ts';
import { shortLine } from '../../mail/messages/short-line.ts';
import { titleOf } from './news-message.ts';

/** Notifications of which a message shows the title; of others it says how many there are. */
export const shownLines = 3;
/**
 * Bounds in code points, of up to four bytes. Together they stay below what an encrypted message can contain, whatever
 * people call themselves.
 */
const titleChars = 230;
const excerptChars = 300;

/** A message with names and channels, and the excerpt of a single notification if the person wants it. */
export function pushMessage(
  { data, more }: { data: AnyNotification[]; more: number },
  { withExcerpt, tag }: { withExcerpt: boolean; tag: string },
): PushMessage {
  const titles = data
    .slice(0, shownLines)
    .map((one) => wholeCharacters(titleOf(one).text, titleChars));
  const [first] = data;
  const count = data.length + more;
  if (first && count === 1) {
    const excerpt = withExcerpt ? excerptOf(first) : '';
    const url = notificationKinds[first.kind].link(first);
    return { title: titles[0] ?? '', body: excerpt, url, tag };
  }
  const rest = count > shownLines ? [`Y ${count - shownLines} más`] : [];
  return {
    title: notificationsText(count),
    body: [...titles, ...rest].join('\n'),
    url: pageRoutes.notifications,
    tag,
  };
}

function excerptOf({ kind, excerpt }: AnyNotification): string {
  const text = wholeCharacters(shortLine(excerpt, 200), excerptChars);
  return notificationKinds[kind].excerpt === 'reason' && text ? `Motivo: ${text}` : text;
}
