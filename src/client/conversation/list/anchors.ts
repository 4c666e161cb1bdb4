/** Id of the line above the first unread comment. */
export const unreadAnchor = 'nuevo';
/** Id of the element between the comments and the form. */
export const endAnchor = 'ultimo';
