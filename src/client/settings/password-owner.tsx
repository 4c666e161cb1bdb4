import { useUser } from '../state/store-provider.tsx';

/**
 * Tells password managers whose password a form asks for. Otherwise they take the field before the password,
 * such as a new name, for the user's name.
 */
export function PasswordOwner() {
  const { email } = useUser();
  return (
    <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
  );
}
