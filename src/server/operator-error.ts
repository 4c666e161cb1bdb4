/** An error that the operator can mend. Its message says how, so that commands print no stack. */
export class OperatorError extends Error {}
