import { existsSync } from 'node:fs';
import { type Config, ConfigError, parseConfig } from '../../system/settings/config.ts';
import { describeDatabase, describeImageStore } from '../../system/settings/describe-stores.ts';
import { findDoubts } from '../../system/settings/doubtful-settings.ts';
import { findNewSettings, shippedFile } from '../../system/settings/new-settings.ts';
import { describeSettings, type SettingsFile } from '../../system/settings/settings-file.ts';
import { findUnknownSettings } from '../../system/settings/unknown-settings.ts';
import { exitCodes } from './exit-codes.ts';

/** The example PUBLIC_URL in `deploy/tertulia.env`. */
const exampleUrl = 'https://foro.example';

/**
 * Prints the source of the settings, which of them are wrong, unknown or probably unintended, and which ones the
 * operator's file does not know yet.
 * @param env includes the settings of the file
 * @returns the exit code
 */
export function checkConfig(
  settings: SettingsFile,
  env: Record<string, string | undefined>,
): number {
  console.log(`Settings: ${describeSettings(settings)}`);
  const { config, wrong } = parse(env);
  const unknown = findUnknownSettings(settings, env);
  for (const line of wrong) console.log(`wrong    ${line}`);
  for (const line of unknown) console.log(`unknown  ${line}`);
  const added = findNewSettings(settings, env);
  if (added.length > 0) console.log(`new      ${added.join(', ')}: see ${shippedFile}`);
  if (config) {
    for (const line of warningsOf(config)) console.log(`warning  ${line}`);
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

function warningsOf(config: Config): string[] {
  const warnings = findDoubts(config);
  if (config.publicUrl === exampleUrl)
    warnings.push(
      `PUBLIC_URL is still that of the example, ${exampleUrl}: set your site's address`,
    );
  if (!existsSync(config.dataDir))
    warnings.push(`DATA_DIR (${config.dataDir}) does not exist: start creates it`);
  return warnings;
}
