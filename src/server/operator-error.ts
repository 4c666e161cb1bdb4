/** An error that the operator can mend. Its message says how, so that commands print no stack. */
export class OperatorError extends Error {}

/** A command line that cannot be understood; nothing was done. */
export class UsageError extends OperatorError {}
