/** An error that the operator can correct. Its message says how, so commands print no stack. */
export class OperatorError extends Error {}

/** Prints a line for the operator. */
export type Print = (line: string) => void;

/** Another process works on the same data, or listens on the same port. */
export class InUse extends OperatorError {}

/** A command that cannot run as it was typed; nothing was done. */
export class UsageError extends OperatorError {}
