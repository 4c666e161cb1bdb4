/** Exit codes for failures that a restart cannot fix: an operator has to act first. */
export const exitCodes = { wrongSettings: 2, inUse: 3, unfitDatabase: 4 };
