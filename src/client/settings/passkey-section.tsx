/** Passkeys of the account. */
export function PasskeySection() {
  return null;
}
