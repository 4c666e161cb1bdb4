/** The 10,000 most common passwords, in lower case, most common first. The build fills this set. */
export const commonPasswords = new Set<string>();
