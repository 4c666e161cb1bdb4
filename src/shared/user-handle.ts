/** The user handle that authenticators store for the account: its id as base64url, without personal data. */
export const userHandle = (accountId: string): string =>
  btoa(accountId).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
