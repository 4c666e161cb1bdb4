/** Shown in place of the name of an erased account. */
export const erasedName = 'cuenta eliminada';

/** Shown in mentions of an account whose content is all hidden. */
export const hiddenName = 'cuenta oculta';
