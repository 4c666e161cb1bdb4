import { changeEntry, entryState, useEntryState } from '../router/entry-state.ts';

/** Whether the last word of the search in the address may still be incomplete. */
export const isTyping = () => entryState().submitted !== undefined;

export const useIsTyping = () => useEntryState(({ submitted }) => submitted !== undefined);

/** Path and query of the search that was opened or submitted last. */
export const submittedAddress = () => entryState().submitted ?? location.pathname + location.search;

/** Makes the address that of what is typed, in the same history entry. */
export function showTyped(to: string): void {
  changeEntry({ submitted: submittedAddress() }, to);
}

/** Gives the history entry an address that nobody is typing. */
export function endTyping(to: string): void {
  changeEntry({ submitted: undefined }, to);
}
