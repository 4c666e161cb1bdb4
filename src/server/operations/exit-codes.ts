/** With which the server ends when a new start would end in the same way until a person acts. */
export const exitCodes = { wrongSettings: 2, inUse: 3, unfitDatabase: 4 };
