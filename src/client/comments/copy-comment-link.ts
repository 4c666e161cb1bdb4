import { commentLink } from '../../shared/routes.ts';
import { showStatus } from '../components/status-bar.tsx';
import { commentTexts } from './comment-texts.ts';

/** Copies the address of a comment; shows it where the browser does not allow that. */
export async function copyCommentLink(channelId: string, number: number): Promise<void> {
  const href = commentLink(channelId, number);
  const label = new URL(href, location.origin).href;
  try {
    await navigator.clipboard.writeText(label);
    showStatus({ text: commentTexts.linkCopied });
  } catch {
    showStatus({ text: commentTexts.linkNotCopied, links: [{ href, label }] });
  }
}
