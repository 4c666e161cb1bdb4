import { statSync } from 'node:fs';
import { type Config, ConfigError, parseConfig } from '../config/config.ts';
import { dataDirOf } from '../config/data-dir.ts';
import { describeDatabase, describeImageStore } from '../config/describe-stores.ts';
import { describeSettings, type SettingsFile } from '../config/settings-file.ts';
import { findWarnings } from '../config/settings-warnings.ts';
import { findUnknownSettings } from '../config/unknown-settings.ts';
import { exitCodes } from '../operations/exit-codes.ts';

/**
 * Prints where the settings come from, and which are wrong, misspelt or probably unintended.
 * @param env with the settings of the file
 */
export function checkConfig(
  settings: SettingsFile,
  env: Record<string, string | undefined>,
): number {
  console.log(`Settings: ${describeSettings(settings)}`);
  const { config, wrong } = parse(env);
  const unknown = findUnknownSettings(settings, env);
  const dataDir = dataDirOf(env);
  const warnings = findWarnings(settings, config);
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (!folder) warnings.push(`DATA_DIR (${dataDir}) does not exist: start creates it`);
  else if (!folder.isDirectory()) wrong.push(`DATA_DIR (${dataDir}) is not a folder`);

  for (const line of wrong) console.log(`wrong    ${line}`);
  for (const line of unknown) console.log(`unknown  ${line}`);
  for (const line of warnings) console.log(`warning  ${line}`);
  if (config) {
    console.log(`Database: ${describeDatabase(config)}`);
    console.log(`Images: ${describeImageStore(config)}`);
  }
  if (wrong.length + unknown.length > 0) return exitCodes.wrongSettings;
  console.log('No setting is wrong.');
  return 0;
}

function parse(env: Record<string, string | undefined>): { config?: Config; wrong: string[] } {
  try {
    return { config: parseConfig(env), wrong: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { wrong: error.wrong };
    throw error;
  }
}
