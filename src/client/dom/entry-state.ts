import { useLocationProperty } from 'wouter/use-browser-location';
import type { EndedWays } from '../../shared/accounts.ts';

/** The place in a channel's page, saved in its history entry for Back and reloads. */
export interface ScrollPosition {
  /** Number of the uppermost comment in the window. */
  n: number;
  /** Distance of its top from that of the window, in CSS pixels. */
  offset: number;
}

/** A page from which another was opened. */
export interface Place {
  href: string;
  /** Title of the page, as its tab shows it. */
  title?: string;
  scrollPosition?: ScrollPosition;
}

/** A message for the document that a page is loaded anew in. */
export interface Told {
  text: string;
  links?: { href: string; label: string; scrollPosition?: ScrollPosition | undefined }[];
}

/** The state of a history entry. It outlives a reload. */
export interface EntryState {
  /** The page from which the entry was opened, for the link back after signing in. */
  cameFrom?: Place | undefined;
  /** The address to which the page shows a link back. */
  wayBack?: string;
  /** Whether a link to the fragment of the address was followed and its element is still to be shown. */
  isFragmentPending?: boolean;
  /** Why the login page was opened: session/redirect.ts. */
  loginReason?:
    | 'session-lost'
    | 'drafts-kept'
    | 'account-needed'
    | 'account-created'
    | 'password-saved';
  /** A message for the status bar once the page is loaded (session/load-anew.ts). */
  told?: Told | undefined;
  /** Ways in that a new password has ended besides sessions. The login page lists them. */
  ended?: EndedWays | undefined;
  /** What is typed in the search field and not submitted: search-form.tsx. */
  typed?: string | undefined;
  /** The times between which accounts were opened that a moderator decides about at once: queue/raid.tsx. */
  raid?: { from: string; to: string | null };
  /** Whether the entry was added for the images over the page, so that Back closes them: conversation/item/image-viewer.tsx. */
  isOfImages?: boolean;
  /** The place in a channel's page (conversation/reading/scroll-position.ts). */
  scrollPosition?: ScrollPosition;
}

export const entryState = (): EntryState => history.state ?? {};

/** Changes the state of the present history entry, and its address if one is given. */
export function changeEntry(change: EntryState, address?: string): void {
  history.replaceState({ ...entryState(), ...change }, '', address);
}

/** Part of the state of the present history entry; of none on the server. */
export function useEntryState<T extends string | boolean | undefined>(
  select: (state: EntryState) => T,
): T {
  return useLocationProperty(
    () => select(entryState()),
    () => select({}),
  );
}
