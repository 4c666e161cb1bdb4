import { useLocationProperty } from 'wouter/use-browser-location';

/**
 * The history entry of a search whose words are being typed contains the address that it had before:
 * path and query of the search that was opened or submitted last.
 */
const before = (): string | undefined => history.state?.submitted;

/** Whether the last word of the search in the address may still be incomplete. */
export const isTyping = () => before() !== undefined;

export const useIsTyping = () => useLocationProperty(isTyping, () => false);

/** Path and query of the search that was opened or submitted last. */
export const submittedAddress = () => before() ?? location.pathname + location.search;

/** Makes the address that of what is typed, in the same history entry. */
export function showTyped(to: string): void {
  history.replaceState({ ...history.state, submitted: submittedAddress() }, '', to);
}

/** Gives the history entry an address that nobody is typing. */
export function endTyping(to: string): void {
  const { submitted: _submitted, ...state } = history.state ?? {};
  history.replaceState(state, '', to);
}
