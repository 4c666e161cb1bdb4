/*
 * The password of an account that was just created, or a new one, for the sign-in form that opens next, so that it is
 * not typed twice. It stays in the memory of the document only.
 */
let typed = '';

export function keepTypedPassword(password: string): void {
  typed = password;
}

export function takeTypedPassword(): string {
  const password = typed;
  typed = '';
  return password;
}
