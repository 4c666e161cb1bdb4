import { parseArgs } from 'node:util';
import { type Config, ConfigError, parseConfig } from '../config.ts';

/** What is to be moved, and between which places. */
export interface Move {
  /** What the settings say. */
  source: Config;
  /** What the arguments say. */
  target: Config;
  /** Whether the rows move. */
  database: boolean;
  /** Whether the bytes of pictures move. */
  pictures: boolean;
  /** Only compares what lies at both places; writes nothing. */
  check: boolean;
}

export const usage = `npm run move -- [--to-database postgres://…] [--to-bucket NAME] [--to-data-dir FOLDER]
                [--only database|pictures] [--check]

The source is what the settings (the environment or .env) say; nothing is changed there.
The target's settings are the same with TO_ before their names: TO_DATABASE_URL, TO_S3_ENDPOINT,
TO_S3_ACCESS_KEY_ID, … The arguments stand for TO_DATABASE_URL, TO_S3_BUCKET and TO_DATA_DIR.
--to-data-dir takes what neither of the others does: SQLite, pictures on disk, or both.
--check writes nothing and says what differs.`;

const argumentsFor = {
  'to-database': 'DATABASE_URL',
  'to-bucket': 'S3_BUCKET',
  'to-data-dir': 'DATA_DIR',
} as const;

type Env = Record<string, string | undefined>;

/** @throws ConfigError naming every wrong setting and argument at once */
export function parseMove(args: string[], env: Env): Move {
  const wrong: string[] = [];
  const given = readArguments(args);
  const to = targetSettings(given, env);
  const parse = (settings: Env, prefix: string) => {
    try {
      return parseConfig(settings);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // Each sentence begins with the setting's name.
      wrong.push(...error.wrong.map((line) => prefix + line));
      return undefined;
    }
  };
  const source = parse(env, '');
  const target = parse({ ...to, DATA_DIR: to.DATA_DIR ?? source?.dataDir }, 'TO_');

  const { only } = given;
  if (only !== undefined && only !== 'database' && only !== 'pictures') {
    wrong.push(`--only takes database or pictures, not "${only}"`);
  }
  const names = Object.keys(to);
  if (names.length === 0) wrong.push('Nothing says where to move');
  if (!source || !target || wrong.length > 0) throw new ConfigError(wrong);

  const anywhere = names.includes('DATA_DIR');
  const database = anywhere || target.databaseUrl !== undefined;
  const pictures = anywhere || target.s3 !== undefined;
  const move = {
    source,
    target,
    database: database && only !== 'pictures' && databasePlace(source) !== databasePlace(target),
    pictures: pictures && only !== 'database' && picturePlace(source) !== picturePlace(target),
    check: given.check ?? false,
  };
  if (!move.database && !move.pictures) {
    throw new ConfigError(['Everything lies already where it is to be moved']);
  }
  return move;
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args,
      options: {
        'to-database': text,
        'to-bucket': text,
        'to-data-dir': text,
        only: text,
        check: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}

/** The target's settings by their own names; those that are empty are not given. */
function targetSettings(given: ReturnType<typeof readArguments>, env: Env): Env {
  const settings: Env = {};
  for (const [name, value] of Object.entries(env)) {
    if (/^TO_(DATABASE_URL|DATA_DIR|S3_\w+)$/.test(name))
      settings[name.slice('TO_'.length)] = value;
  }
  for (const [argument, name] of Object.entries(argumentsFor)) {
    const value = given[argument as keyof typeof argumentsFor];
    if (value !== undefined) settings[name] = value;
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value?.trim()));
}

const databasePlace = ({ databaseUrl, dataDir }: Config) => databaseUrl ?? dataDir;
const picturePlace = ({ s3, dataDir }: Config) => (s3 ? `${s3.endpoint}/${s3.bucket}` : dataDir);
