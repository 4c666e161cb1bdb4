// `npm run move`: carries a community to PostgreSQL, to a bucket, or back (docs/operating.md).
import { existsSync } from 'node:fs';
import { ConfigError } from '../src/server/config.ts';
import { DataDirInUse } from '../src/server/database/data-dir-lock.ts';
import { moveHouse } from '../src/server/moving/move-house.ts';
import { MoveRefused } from '../src/server/moving/move-refused.ts';
import { parseMove, usage } from '../src/server/moving/move-settings.ts';

const exitCodes = { error: 1, wrongSettings: 2, refused: 3, differs: 4 };

try {
  if (existsSync('.env')) process.loadEnvFile();
  const move = parseMove(process.argv.slice(2), process.env);
  const differences = await moveHouse(move, (line) => console.log(line));
  for (const line of differences.lines()) console.error(line);
  if (differences.count > 0) {
    console.error(`${differences.count} differ. Nothing was changed at the source.`);
    process.exitCode = exitCodes.differs;
  } else if (!move.check) {
    console.log('The target holds the same as the source did when this began.');
    console.log(
      'If a server ran there meanwhile: stop it, and run this again for what came since.',
    );
  } else console.log('The target holds the same as the source.');
} catch (error) {
  if (error instanceof ConfigError) {
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = exitCodes.wrongSettings;
  } else if (error instanceof MoveRefused || error instanceof DataDirInUse) {
    console.error(`${error.message}\nNothing was moved.`);
    process.exitCode = exitCodes.refused;
  } else {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      console.error(`${cause.name}: ${cause.message}`);
    }
    console.error('It did not end. Run it again, and it goes on.');
    process.exitCode = exitCodes.error;
  }
}
