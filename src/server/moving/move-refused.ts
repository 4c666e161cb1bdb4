/** The move cannot begin, and nothing was written. */
export class MoveRefused extends Error {}
