import { notificationsText } from '../../shared/notification-texts.ts';
import { pageRoutes } from '../../shared/routes.ts';
import type { PushMessage } from '../../shared/service-worker.ts';
import { wholeCharacters } from '../../shared/whole-characters.ts';
import { lineTitle, type NewsLine } from '../mail/messages/messages.ts';
import { shortLine } from '../mail/messages/short-line.ts';

/** Lines of which a message shows the title; of others it says how many there are. */
export const shownLines = 3;
/**
 * Bounds in code points, of up to four bytes. Together they stay below what an encrypted message can contain, whatever
 * people call themselves.
 */
const titleChars = 230;
const excerptChars = 300;

/** A message with names and channels, and the excerpt of a single line if the person wants it. */
export function pushMessage(
  { lines, more }: { lines: NewsLine[]; more: number },
  { withExcerpt, tag }: { withExcerpt: boolean; tag: string },
): PushMessage {
  const titles = lines
    .slice(0, shownLines)
    .map((line) => wholeCharacters(lineTitle(line).text, titleChars));
  const [first] = lines;
  if (first && lines.length + more === 1) {
    const excerpt = withExcerpt ? excerptOf(first) : '';
    return { title: titles[0] ?? '', body: excerpt, url: first.link, tag };
  }
  const count = lines.length + more;
  const rest = count > shownLines ? [`Y ${count - shownLines} más`] : [];
  return {
    title: notificationsText(count),
    body: [...titles, ...rest].join('\n'),
    url: pageRoutes.notifications,
    tag,
  };
}

function excerptOf({ kind, excerpt }: NewsLine): string {
  const text = wholeCharacters(shortLine(excerpt, 200), excerptChars);
  return kind === 'decision' && text ? `Motivo: ${text}` : text;
}
