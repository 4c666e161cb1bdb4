import { orFailure } from '../api/failures.ts';
import { showStatus } from '../components/status-bar.tsx';
import { sendLastPositions } from '../news/news.ts';
import { endSession, forgetBrowser } from '../session/remembered-browser.ts';
import { readRemembered } from '../storage/session.ts';
import { texts } from '../texts.ts';
import { deleteLocalFiles } from '../uploads/local-files.ts';
import { forgetPlace } from './way-back.ts';

/**
 * Discards the account's files in this browser, ends the session on the server, and says that it has ended,
 * or that the server has not answered yet.
 */
export async function finishSignOut(userId: string, token: string): Promise<void> {
  deleteLocalFiles(`${userId} `);
  forgetPlace();
  await sendLastPositions(userId, token);
  await endSession(token, (retry) =>
    showStatus({
      text: 'Has cerrado sesión en este navegador, pero el servidor no responde y todavía no lo sabe. Deja esta página abierta hasta que vuelva la conexión.',
      action: { label: texts.retry, run: retry },
    }),
  );
  showStatus({ text: 'Has cerrado sesión.' });
  // Since then somebody may have signed in to stay, who must not be forgotten.
  if (!readRemembered()) await orFailure(forgetBrowser());
}
