import { ApiError } from '../../http/api-error.ts';

/** Many passwords contain a shorter name by chance. */
const shortestName = 3;
const commonPasswords = 10_000;

/**
 * Refuses an easily guessed password, for callers that asked to be warned.
 * @param names name and e-mail address of the account, as far as they are known
 * @throws ApiError `weak_password`
 */
export async function refuseWeakPassword(password: string, names: string[]): Promise<void> {
  const folded = fold(password);
  if (names.some((name) => hasName(folded, fold(name))))
    throw weakPassword('Contiene tu nombre o tu correo: se adivina fácilmente.');
  // Unpacking the list takes 45 ms and 20 MB, which a server does not need to start.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  if (dictionary['passwords-common'].slice(0, commonPasswords).includes(folded))
    throw weakPassword('Es una de las contraseñas más usadas: se adivina enseguida.');
}

function weakPassword(reason: string): ApiError {
  const detail = `${reason} Elige otra o, si la quieres así, pulsa otra vez el botón.`;
  return new ApiError('weak_password', {
    detail,
    errors: [{ field: 'password', message: detail }],
  });
}

/** Removes case, accents and spaces, in which variants of a word often differ. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\s]+/gu, '')
    .toLowerCase();

/** Whether the password contains a name or the local part of an e-mail address. */
function hasName(password: string, name: string): boolean {
  if (name === '') return false;
  const [local = ''] = name.split('@', 1);
  return password === name || (local.length >= shortestName && password.includes(local));
}
