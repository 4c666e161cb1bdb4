import type { PinoLoggerOptions } from 'fastify/types/logger.js';

/** pino's level for errors. Fatal errors have a higher one. */
const errorLevel = 50;

/** Counts the errors that a logger logs. */
export class LoggedErrors {
  count = 0;

  /** Logger option that counts the logger's errors. */
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
