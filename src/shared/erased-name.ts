/** Shown in place of the name of an erased account. */
export const erasedName = 'cuenta eliminada';
