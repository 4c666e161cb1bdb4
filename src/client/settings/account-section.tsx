/** Name, e-mail address and password. */
export function AccountSection() {
  return null;
}
