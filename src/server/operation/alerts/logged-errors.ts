import type { PinoLoggerOptions } from 'fastify/types/logger.js';

/** pino's level of an error; a fatal one has a higher level. */
const errorLevel = 50;

/** Counts the errors that a logger logs. */
export class LoggedErrors {
  count = 0;

  /** The option of a logger that counts its errors. */
  readonly hooks: NonNullable<PinoLoggerOptions['hooks']>;

  constructor() {
    const add = () => {
      this.count++;
    };
    this.hooks = {
      logMethod(args, method, level) {
        if (level >= errorLevel) add();
        method.apply(this, args);
      },
    };
  }
}
