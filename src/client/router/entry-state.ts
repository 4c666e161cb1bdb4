import { useLocationProperty } from 'wouter/use-browser-location';
import type { EndedWays } from '../../shared/accounts.ts';

/** The position on a channel's page, saved in its history entry for Back and reloads. */
export interface ScrollPosition {
  /** Number of the uppermost comment in the window. */
  n: number;
  /** Distance from the top of the window to the top of that comment, in CSS pixels. */
  offset: number;
}

/** A link within the site. */
export interface StatusLink {
  href: string;
  label: string;
}

/** A message to show after the page is reloaded. */
export interface ReloadMessage {
  text: string;
  links?: StatusLink[];
}

/** The state of a history entry. It survives a reload. */
export interface EntryState {
  /** The address to which the page shows a link back. */
  wayBack?: string;
  /** The page to open after signing in, where a redirect led to the login page: router/next-page.ts. */
  next?: string | null;
  /** Whether a link to the fragment of the address was followed and its element is still to be shown. */
  isFragmentPending?: boolean;
  /** Why the login page was opened: session/redirect.ts. */
  loginReason?:
    | 'session-lost'
    | 'drafts-kept'
    | 'account-needed'
    | 'account-created'
    | 'password-saved';
  /** Whom a guest answers who was led to the login page: session/reply-name.ts. */
  replyName?: string;
  /** A message for the status bar after a reload (session/reload-page.ts). */
  told?: ReloadMessage | undefined;
  /** The decision that restricted the account already when the document was loaded: app/account-effects.ts. */
  loadedUnder?: string;
  /** Other ways in, besides sessions, that a password change has ended. The login page lists them. */
  ended?: EndedWays | undefined;
  /** The address that was typed to sign in, for the form that recovers access. */
  email?: string;
  /** Text typed in the search field but not submitted: pages/search/search-form.tsx. */
  typed?: string | undefined;
  /** The ids of the accounts that are marked in the list of members: moderation/members/members.tsx. */
  marked?: string[];
  /** Whether the entry was added for the image viewer, so that Back closes it: conversation/item/image-viewer.tsx. */
  isOfImages?: boolean;
  /** The position on a channel's page (conversation/reading/scroll-position.ts). */
  scrollPosition?: ScrollPosition;
}

/** Only this site's scripts set the state of an entry. */
export const entryState = () => (history.state ?? {}) as EntryState;

/** Changes the state of the current history entry, and its address if one is given. */
export function changeEntry(change: EntryState, address?: string): void {
  history.replaceState({ ...entryState(), ...change }, '', address);
}

/** Part of the state of the current history entry; of an empty state on the server. */
export function useEntryState<T extends string | boolean | undefined>(
  select: (state: EntryState) => T,
): T {
  return useLocationProperty(
    () => select(entryState()),
    () => select({}),
  );
}
