import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from '../../system/operator-error.ts';
import type { Config } from '../../system/settings/config.ts';
import type { SettingsFile } from '../../system/settings/settings-file.ts';

export interface Syntax {
  /** The arguments after the command's name, one line for each form, for example `[FILE]`. */
  usage: string[];
  options: ParseArgsOptionsConfig;
  /** Minimum and maximum number of arguments that are not options. */
  arguments: { least: number; most: number };
}

export interface ParsedArguments {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
}

/** The settings and command line of a command. */
export interface Context extends ParsedArguments {
  config: Config;
  settings: SettingsFile;
}

const commonOptions = {
  help: { type: 'boolean', short: 'h' },
  'env-file': { type: 'string' },
} satisfies ParseArgsOptionsConfig;

export const commonHelp = [
  '  --env-file FILE   reads the settings from this file',
  '  --help            prints this',
];

/** @throws UsageError naming an unknown option, a missing value, or empty or superfluous arguments */
export function parseArguments(name: string, syntax: Syntax, args: string[]): ParsedArguments {
  const options: ParseArgsOptionsConfig = { ...commonOptions, ...syntax.options };
  const { values, positionals, tokens } = parseStrictly(name, options, args);
  // An unset variable in a script leaves an empty argument: refuse it, since it would name another file.
  if (tokens.some((token) => 'value' in token && token.value === '')) {
    throw usageError(name, 'An argument is empty.');
  }
  const { least, most } = syntax.arguments;
  const count = positionals.length;
  if (!values.help && (count < least || count > most)) {
    throw new UsageError(
      syntax.usage.map((form) => `usage: tertulia ${name} ${form}`.trim()).join('\n'),
    );
  }
  return { values: values as ParsedArguments['values'], positionals };
}

export function usageError(name: string, problem: string): UsageError {
  return new UsageError(`${problem}\nSee: ${`tertulia ${name}`.trim()} --help`);
}

function parseStrictly(name: string, options: ParseArgsOptionsConfig, args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw usageError(name, error instanceof Error ? error.message : String(error));
  }
}
