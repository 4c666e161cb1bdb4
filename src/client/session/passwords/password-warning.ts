import { useRef } from 'react';
import { refuse } from '../../api/failures.ts';

/** Many passwords contain a shorter name by chance. */
const shortestName = 3;
const longestWaitMs = 2_000;

const loadList = () => import('./common-passwords.ts').then((list) => list.commonPasswords);

/** Preloads the list of common passwords, which is needed once a new password is submitted. */
export function preloadCommonPasswords(): void {
  loadList().catch(() => {});
}

/**
 * @returns a function that rejects an easily guessed password before it is sent; the second time, the same password
 * is accepted
 */
export function usePasswordCheck() {
  const refused = useRef<string>(null);
  return async (password: string, names?: string[]): Promise<void> => {
    if (password === refused.current) return;
    const reason = await passwordWarning(password, names);
    if (!reason) return;
    refused.current = password;
    throw refuse('password', reason);
  };
}

/**
 * Why a password is easily guessed, or undefined. Checked in the browser, so that the password is not sent. When the
 * list of common passwords cannot be loaded, only the user's names are checked.
 * @param names name and e-mail address of the account, as far as they are known
 */
export async function passwordWarning(
  password: string,
  names: string[] = [],
): Promise<string | undefined> {
  const folded = fold(password);
  if (names.some((name) => hasName(folded, fold(name))))
    return warn('Contiene tu nombre o tu correo: se adivina fácilmente.');
  const list = await Promise.race([loadList(), wait(longestWaitMs)]).catch(() => undefined);
  return list?.has(folded)
    ? warn('Es una de las contraseñas más usadas: se adivina enseguida.')
    : undefined;
}

const warn = (reason: string) =>
  `${reason} Elige otra o vuelve a enviar el formulario para usarla de todos modos.`;

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

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}
