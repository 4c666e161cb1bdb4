/** Where the account is signed in, with buttons to end it. */
export function SessionSection() {
  return null;
}
