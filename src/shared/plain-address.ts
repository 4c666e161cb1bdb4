/** An address whose parts need no quotes, so that mail servers accept it from a program. */
const plainAddress = /^[\w.!#$%&'*+/=?^`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*$/u;

/**
 * Whether mail can be sent to an address. Sign-up accepts others, since an address may serve only as a user name.
 * Rejects spaces, quotes, commas, line breaks and direction marks, which could add further recipients.
 */
export const isPlainAddress = (address: string) => plainAddress.test(address);
