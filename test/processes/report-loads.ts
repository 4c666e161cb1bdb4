import { registerHooks } from 'node:module';

// Preloaded into a child process: tells its parent the address of every module that it loads.
registerHooks({
  load(url, context, next) {
    process.send?.(url);
    return next(url, context);
  },
});
process.channel?.unref();
