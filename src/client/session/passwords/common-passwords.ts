/** The 10,000 most common passwords, in lower case, the most common first. The build fills it in. */
export const commonPasswords = new Set<string>();
