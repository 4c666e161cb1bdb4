import { useEffect, useState } from 'react';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import type { InvitedBy } from '../../../shared/site-settings.ts';
import { defineCall } from '../../api/call.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { changeEntry } from '../../router/entry-state.ts';
import { go, useFragmentKey } from '../../router/navigation.tsx';
import { useHydrated } from '../../state/store-provider.tsx';
import { sessionStore } from '../../storage/browser-storage.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { keepInvitedPage } from '../invited-page.ts';

/** Id of the heading of the words that a member has claimed. */
export const claimsAnchor = 'mensajes-de-antes';

const key = 'invitation';
/** The fragment of the link that skips to the content. Any other is a code, right or wrong, which a path may follow. */
const skipFragment = 'contenido';

/** More than any code has, so that the server answers a wrong one as one that lets nobody in. */
const codeChars = 100;

const unusedText =
  'Ya tienes una cuenta, así que la invitación queda sin usar: puedes pasársela a otra persona.';
const founderText =
  'Con ese enlace se crea la cuenta que administrará el sitio: cierra antes la sesión y ábrelo otra vez.';

/** Says who invites, and to what. The input is the part of a link after `#`. */
export const readInvitation = defineCall<string, InvitedBy>('POST', () => apiRoutes.invitedBy, {
  body: (invitation) => ({ invitation }),
});

/** An invitation whose link opened the page. */
export interface OpenedInvitation {
  /** The part of the link after `#`. */
  link: string;
  code: string;
  /** Undefined until the server has answered, and when it refuses the code. */
  from: InvitedBy | undefined;
  isPending: boolean;
  isRefused: boolean;
}

/** The server's answer about an invitation. */
export type InvitationAnswer = Pick<OpenedInvitation, 'from' | 'isPending' | 'isRefused'>;

/**
 * The invitation whose link opened the page; null without one. It is removed from the address, so that nobody shares
 * it by mistake, and stored for this tab.
 * @returns also `setAnswer`, for `InvitationQuery`, and `drop`, which goes on without the invitation
 */
export function useInvitation() {
  const isReady = useHydrated();
  const fragment = useFragmentKey();
  const opened = fragment === skipFragment ? '' : fragment;
  useEffect(() => {
    if (!opened) return;
    sessionStore.set(key, opened);
    changeEntry({}, location.pathname + location.search);
  }, [opened]);
  const [dropped, setDropped] = useState('');
  const found = opened || (isReady && sessionStore.get(key)) || '';
  const link = found === dropped ? '' : found;
  const [answer, setAnswer] = useState<InvitationAnswer>({
    from: undefined,
    isPending: true,
    isRefused: false,
  });
  const code = link.slice(0, codeChars).split('/', 1)[0] ?? '';
  const invitation: OpenedInvitation | null = link ? { link, code, ...answer } : null;
  const drop = () => {
    discardInvitation();
    setDropped(link);
  };
  return { invitation, setAnswer, drop };
}

/** The page where a member claims the words that a link gives. */
const claimPage = `${pageRoutes.settings}#${claimsAnchor}`;

/** Asks who invites, and keeps the page to open after signing in. Who has an account already claims their words there. */
export async function openInvitation(link: string): Promise<InvitedBy> {
  const from = await request(readInvitation, link);
  keepInvitedPage(from.words ? claimPage : from.target);
  return from;
}

/** Opens the page to which the invitation leads, for somebody who has an account. */
export async function followInvitation(link: string): Promise<void> {
  const from = await orFailure(request(readInvitation, link));
  if (!(from instanceof Failure) && from.words) return go(claimPage, { replace: true });
  discardInvitation();
  showStatus({ text: unusedText });
  if (from instanceof Failure || location.pathname !== pageRoutes.home) return;
  if (from.name === null) showStatus({ text: founderText });
  else if (from.target) go(from.target, { replace: true });
}

export const discardInvitation = () => sessionStore.remove(key);

/** The invitation that this tab stores, or ''. */
export const storedInvitation = () => sessionStore.get(key) ?? '';
