import type { Config } from '../../config/config.ts';
import { describeDatabase, describeImageStore } from '../../config/describe-stores.ts';
import { describeSettings, type SettingsFile } from '../../config/settings-file.ts';
import { findWarnings } from '../../config/settings-warnings.ts';
import { findUnknownSettings } from '../../config/unknown-settings.ts';
import { advice, type Finding } from '../../finding.ts';
import { checkDataDir } from './check-data-dir.ts';
import { checkSettings } from './check-settings.ts';
import { checkStores } from './check-stores.ts';

export interface Diagnosis {
  settings: string;
  database: string;
  images: string;
  findings: Finding[];
}

/**
 * Checks settings, data folder, database and bucket.
 * @param nowMs milliseconds since 1970
 * @param isThorough lists all images, too
 */
export async function diagnose(
  config: Config,
  settings: SettingsFile,
  nowMs: number,
  isThorough = false,
): Promise<Diagnosis> {
  return {
    settings: describeSettings(settings),
    database: describeDatabase(config),
    images: describeImageStore(config),
    findings: [
      ...checkNames(config, settings),
      ...checkSettings(config),
      ...(await checkDataDir(config, nowMs)),
      ...(await checkStores(config, isThorough)),
    ],
  };
}

function checkNames(config: Config, settings: SettingsFile): Finding[] {
  return [...findUnknownSettings(settings, process.env), ...findWarnings(settings, config)].map(
    (line) => advice('settings', line),
  );
}
