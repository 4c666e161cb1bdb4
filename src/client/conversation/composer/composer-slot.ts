/** Attribute of an element in each comment: the composer moves into it while it replies to that comment or edits it. */
export const composerSlot = 'data-composer';
