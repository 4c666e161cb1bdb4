/** An error that the operator can correct. Its message says how, so commands print no stack trace. */
export class OperatorError extends Error {}

export type Print = (line: string) => void;

/** Another process uses the same data, or listens on the same port. */
export class InUse extends OperatorError {}

/** A command with wrong arguments, or run by the wrong user. Nothing was done. */
export class UsageError extends OperatorError {}
